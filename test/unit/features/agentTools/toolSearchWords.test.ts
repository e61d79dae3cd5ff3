import { expect, test } from "vitest";
import { plainWords } from "../../../../src/features/agentTools/toolSearchWords.ts";

test.each(["searchFlights", "HTTPServer2Go", "list_all-items", "ABCdefG", "a1B2", "", "x".repeat(60)])(
	"%j has the same words in ASCII as beside other letters",
	(name) => {
		expect(plainWords(`${name} Élan`, 80)).toEqual([...plainWords(name, 80), "elan"]);
	},
);
