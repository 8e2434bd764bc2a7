import Wireless

/// Text as it is shown in a message: in quotes, on one line, without control characters.
func quoted(_ text: String) -> String {
    "\"\(printable(text))\""
}

/// Text as a basic string of TOML (toml.io, v1.0.0, "String"), on one line.
func tomlString(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case _ where printable(String(scalar)) != String(scalar):
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let width = scalar.value > 0xffff ? 8 : 4
            result += (width == 8 ? "\\U" : "\\u") + String(repeating: "0", count: width - digits.utf8.count) + digits
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
