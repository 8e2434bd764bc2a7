import Testing

@testable import Trust

@Suite("Days")
struct DayTests {
    @Test(
        "are read in one form",
        arguments: ["1970-01-01", "2024-02-29", "2000-02-29", "2027-01-31", "9999-12-31", "2026-11-30"])
    func accepts(text: String) throws {
        let day = try #require(Day(text))
        #expect(day.description == text)
        #expect(Day(year: day.year, month: day.month, day: day.day) == day)
    }

    @Test(
        "are not read in any other",
        arguments: [
            "", "2027", "2027-01", "2027-1-31", "2027-01-1", "27-01-31", "2027/01/31", "2027.01.31", "31-01-2027",
            "2027-01-31 ", " 2027-01-31", "2027-01-31T00:00:00Z", "2027-01-31\n", "+027-01-31", "2027-+1-31",
            "２０２７-01-31", "2027–01–31", "20270131", "2027-01-31-", "-2027-01-31", "2027--01-31", "2027-00-31",
            "2027-13-01", "2027-01-00", "2027-01-32", "2027-04-31", "2027-06-31", "2027-09-31", "2027-11-31",
            "2027-02-29", "2100-02-29", "1900-02-29", "1969-12-31", "0000-01-01", "never",
        ])
    func refuses(text: String) {
        #expect(Day(text) == nil)
    }

    @Test("have no year or month out of bounds")
    func bounds() {
        for (year, month, day) in [
            (1969, 12, 31), (10_000, 1, 1), (Int.max, 1, 1), (Int.min, 1, 1), (2026, Int.max, 1), (2026, 0, 1),
            (2026, 1, Int.max), (2026, 1, Int.min),
        ] {
            #expect(Day(year: year, month: month, day: day) == nil)
        }
    }

    static let moments: [(Int, String?)] = [
        (0, "1970-01-01"), (86_399, "1970-01-01"), (86_400, "1970-01-02"), (68_256_000, "1972-03-01"),
        (951_782_399, "2000-02-28"), (951_782_400, "2000-02-29"), (951_868_800, "2000-03-01"),
        (978_307_199, "2000-12-31"), (978_307_200, "2001-01-01"), (1_709_164_800, "2024-02-29"),
        (1_798_761_599, "2026-12-31"), (1_798_761_600, "2027-01-01"), (2_147_483_647, "2038-01-19"),
        (2_147_483_648, "2038-01-19"), (4_107_542_399, "2100-02-28"), (4_107_542_400, "2100-03-01"),
        (253_402_300_799, "9999-12-31"), (253_402_300_800, nil), (-1, nil), (Int.max, nil), (Int.min, nil),
    ]

    @Test("are those of known moments", arguments: moments)
    func dayOfMoment(seconds: Int, text: String?) {
        #expect(Day(secondsSince1970: seconds)?.description == text)
    }

    @Test("follow each other like in a calendar, for two centuries")
    func calendar() {
        var (year, month, day) = (1970, 1, 1)
        var before: Day?
        for number in 0..<(200 * 366) {
            let today = Day(secondsSince1970: number * 86_400 + number % 86_400)
            let same = today?.year == year && today?.month == month && today?.day == day
            if !same { Issue.record("day \(number) is \(today?.description ?? "none"), not \(year)-\(month)-\(day)") }
            if let before, let today, before >= today { Issue.record("\(before) is not before \(today)") }
            before = today
            let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            day += 1
            if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }
}
