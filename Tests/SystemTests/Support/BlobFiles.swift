import ChatTesting
import Foundation

/// The files of a daemon's blob store, as paths within it.
func blobFiles(_ daemon: RunningDaemon) -> [String] {
    let root = daemon.data + "/blobs"
    let all = FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []
    return all.filter { path in
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isDirectory)
            && !isDirectory.boolValue
    }.sorted()
}

/// Permission bits of everything in it.
func blobModes(_ daemon: RunningDaemon) throws -> [String: Int] {
    let root = daemon.data + "/blobs"
    let all = FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []
    return try Dictionary(
        uniqueKeysWithValues: all.map { path in
            let mode =
                try FileManager.default.attributesOfItem(atPath: root + "/" + path)[.posixPermissions] as? NSNumber
            return (path, mode?.intValue ?? -1)
        }
    )
}
