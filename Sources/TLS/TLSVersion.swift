import COpenSSL

/// The oldest protocol version a server accepts (setting `tls.min`).
package enum TLSVersion: Sendable, Equatable {
    case tls12
    case tls13

    var number: Int32 {
        switch self {
        case .tls12: TLS1_2_VERSION
        case .tls13: TLS1_3_VERSION
        }
    }
}
