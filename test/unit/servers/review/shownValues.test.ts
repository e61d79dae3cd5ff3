import { describe, expect, it } from "vitest";
import { approvalOf } from "../../../../src/servers/approval/keptApproval.ts";
import { reviewServer } from "../../../../src/servers/review/review.ts";
import { definition, stdioConfig } from "../fixtures.ts";

describe("reviewServer: values that are not secrets", () => {
	it("shows equal values alike, also if only that is stored of them", () => {
		const before = stdioConfig({ env: { A: "one", GREETING: "hello" } });
		const after = stdioConfig({ env: { A: "two", GREETING: "hello" } });
		const { rows } = reviewServer(definition("a", after), approvalOf("former", before));
		expect(rows.find(({ label }) => label === "Environment")).toEqual({
			label: "Environment",
			values: ["A=two", "GREETING=hello"],
			former: ["A=(masked: 3 characters)", "GREETING=hello"],
		});
	});

	it("shows in full a value that is written as if it were concealed", () => {
		const written = `(5 characters) ${"a".repeat(64)}`;
		const config = stdioConfig({ args: [written], env: { GREETING: written } });
		const { rows } = reviewServer(definition("a", config), undefined);
		expect(rows).toContainEqual({ label: "Arguments", values: [written] });
		expect(rows).toContainEqual({ label: "Environment", values: [`GREETING=${written}`] });
	});
});
