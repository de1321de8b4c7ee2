/// What a kind of server does and does not do.
struct ServerTraits {
    /// It says a line without TLS first.
    var greetsInPlain = false
    /// Somebody who publishes where he reads hears himself.
    var echoes = true
    /// Every message that is published is answered.
    var acknowledges = true
    /// Messages can be stored before they are answered.
    var stores = true
    /// What a publisher says while something of what it sent is lacking and nothing comes any more; empty for nothing.
    /// ngircd handles what waits inside its TLS library with the next input only, so that the last messages of a run would
    /// wait for ever.
    var nudge: StaticString = ""
    /// The longest text of a message, in bytes.
    var textLimit = 4000
}
