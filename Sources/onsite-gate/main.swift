import Gate
import Glibc

exit(answerOneRequest())
