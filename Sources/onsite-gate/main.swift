import Gate
import Glibc

exit(isListening() ? answerCallers() : answerOneRequest())
