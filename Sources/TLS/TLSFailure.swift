import COpenSSL
import Glibc

/// What went wrong in OpenSSL or in a certificate; the text is for people and logs and holds no secret.
package struct TLSFailure: Error, CustomStringConvertible, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { text }

    /// `action` and the reason OpenSSL left in this thread's error queue, which is empty afterwards.
    static func ofOpenSSL(_ action: String) -> TLSFailure {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        return TLSFailure("\(action): \(reason(of: code))")
    }

    /// OpenSSL's words for a packed error code (ERR_reason_error_string(3)).
    static func reason(of code: UInt) -> String {
        if code == 0 { return "no reason given" }
        if let text = ERR_reason_error_string(code) { return String(cString: text) }
        if fc_ERR_GET_LIB(code) == ERR_LIB_SYS { return String(cString: strerror(fc_ERR_GET_REASON(code))) }
        return "error \(String(code, radix: 16))"
    }
}
