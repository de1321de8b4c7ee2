/// What a piece of a server's output says, as far as the generator cares. A plain value; bytes are valid in the call
/// they are given in.
enum Notice {
    /// A message for somebody who reads; nil when its text is none of ours.
    case delivery(Payload?)
    /// A publisher's oldest open send was taken, with this number in the conversation; 0 when the server tells none.
    case acknowledgement(UInt64)
    /// The server asks whether we are there, with a word to be sent back.
    case ping(UnsafeRawBufferPointer)
    /// Signed in; rooms may be entered now.
    case welcome
    /// Everything that was asked for while getting ready is done.
    case ready
    /// Something was refused.
    case refusal(UnsafeRawBufferPointer)
    /// The server ends the connection.
    case farewell(UnsafeRawBufferPointer)
}
