import CLinux

/// The size of a terminal's window.
package enum TerminalSize {
    /// Columns of the terminal `descriptor`; 80 when it does not tell (ioctl_tty(2), TIOCGWINSZ).
    package static func columns(of descriptor: Int32) -> Int {
        var (columns, rows): (Int32, Int32) = (0, 0)
        return fc_terminal_size(descriptor, &columns, &rows) == 0 ? Int(columns) : 80
    }
}
