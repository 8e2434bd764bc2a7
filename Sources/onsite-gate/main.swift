import Gate
import Glibc

if CommandLine.arguments.dropFirst().first == "consent" {
    exit(storeConsent())
}
exit(isListening() ? answerCallers() : answerOneRequest())
