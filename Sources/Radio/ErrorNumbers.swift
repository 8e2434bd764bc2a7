import Glibc

// The error numbers that mean something to the probe, by what they mean.

let notPermitted = EPERM
let accessDenied = EACCES
let noEntry = ENOENT
let noDevice = ENODEV
let networkDown = ENETDOWN
let notSupported = EOPNOTSUPP
let noAddressFamily = EAFNOSUPPORT
let noProtocol = EPROTONOSUPPORT
let busy = EBUSY
let tryAgain = EAGAIN
let noTerminalCall = ENOTTY
let invalid = EINVAL
