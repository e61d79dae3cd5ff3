import { expect, test } from "vitest";
import { checkActively } from "../../../../src/surfaces/doctor/activeChecks.ts";
import { FakeSession } from "../../features/resources/fakeSession.ts";

test("checks that a server holds up are reported as not finished", async () => {
	const session = new FakeSession("slow");
	await session.run();
	const ending = new AbortController();
	Object.assign(session, {
		call: (_label: string, { signal }: { readonly signal: AbortSignal }) =>
			new Promise((_, reject) => {
				signal.addEventListener("abort", () => reject(signal.reason), { once: true });
				ending.abort(new Error("too long"));
			}),
	});
	expect(await checkActively(session, ending.signal)).toEqual([
		expect.objectContaining({ rule: "unfinished", what: expect.stringContaining("were not finished") }),
	]);
});
