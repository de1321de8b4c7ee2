import Glibc

extension Clock {
    /// Stops the calling thread for a while; for threads that poll behind everybody else, never for a loop.
    package static func sleep(milliseconds: Int) {
        var rest = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        var left = timespec()
        while nanosleep(&rest, &left) == -1, errno == EINTR { rest = left }
    }
}
