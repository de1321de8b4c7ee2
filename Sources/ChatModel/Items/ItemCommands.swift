/// PUT-ITEM (protocol.md, Items).
package struct PutItem: Sendable {
    package let target: CollectionTarget
    /// Nil when the server is to choose one.
    package let id: String?
    /// The rev it must have now, 0 when there must be none; nil when that does not matter.
    package let rev: Seq?
    /// The object, compact, in the batch's arena.
    package let json: ArenaRange
    /// Its fields, in their order, each name once.
    package let fields: [ItemField]
    package init(target: CollectionTarget, id: String?, rev: Seq?, json: ArenaRange, fields: [ItemField]) {
        (self.target, self.id, self.rev, self.json, self.fields) = (target, id, rev, json, fields)
    }
}

/// A field of an item, without its value.
package struct ItemField: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        /// `isDate`: it is a time such as 2026-01-31T12:00:00Z.
        case string(isDate: Bool)
        /// A number without fraction and exponent.
        case int
        case double
        case bool
    }
    package let name: String
    package let value: Value
    package init(name: String, value: Value) { (self.name, self.value) = (name, value) }
}

/// DEL-ITEM.
package struct DeleteItem: Sendable {
    package let target: CollectionTarget
    package let id: String
    /// The rev it must have now; nil when that does not matter.
    package let rev: Seq?
    package init(target: CollectionTarget, id: String, rev: Seq?) {
        (self.target, self.id, self.rev) = (target, id, rev)
    }
}

/// ITEMS: the items of one collection that are as wanted, the longest unchanged first.
package struct ItemQuery: Sendable {
    package enum After: Sendable, Equatable {
        case rev(Seq)
        case id(String)
    }
    package let target: CollectionTarget
    package let filter: ItemFilter?
    package let after: After?
    /// 1 … 200
    package let limit: Int
    package init(target: CollectionTarget, filter: ItemFilter?, after: After?, limit: Int) {
        (self.target, self.filter, self.after, self.limit) = (target, filter, after, limit)
    }
}

/// `where=`: all of its terms must hold.
package struct ItemFilter: Sendable, Equatable {
    package enum Comparison: String, Sendable, CaseIterable {
        case equal = "="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    /// What a field is compared with. A value of another kind never matches.
    package enum Literal: Sendable, Equatable {
        case number(DecimalNumber)
        /// By code points; as times where both are times.
        case string([UInt8], Timestamp?)
        case bool(Bool)
    }

    package struct Term: Sendable, Equatable {
        package let field: String
        package let comparison: Comparison
        package let literal: Literal
        package init(field: String, comparison: Comparison, literal: Literal) {
            (self.field, self.comparison, self.literal) = (field, comparison, literal)
        }
    }

    package let terms: [Term]
    package init(terms: [Term]) { self.terms = terms }

    /// Terms of one filter at most.
    package static let limit = 8
}

extension ItemFilter.Comparison {
    /// Whether two values that compare like this fit: `order` is below, at or above 0.
    package func holds(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}
