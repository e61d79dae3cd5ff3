import { expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { SizeGuard } from "../../../../src/features/resources/sizeGuard.ts";

const megabyte = 1024 * 1024;
const address = { server: "a", uri: "x://log\u202E" };

test("contents beyond the limit are opened only if the user confirms, once per opening (RES-06)", () => {
	const guard = new SizeGuard(
		() => 10 * megabyte,
		(server) => (server === "a" ? "library" : undefined),
	);
	expect(guard.refusal(address, 10 * megabyte)).toBeUndefined();
	const refusal = guard.refusal(address, 10 * megabyte + 1);
	expect(HostError.is(refusal, "limit")).toBe(true);
	expect(refusal?.message).toBe(
		'"x://log\\u202E" of library has 10.0 MB. Resources of more than 10.0 MB are opened only if you confirm it.',
	);
	guard.allow(address);
	expect(guard.refusal(address, 60 * megabyte)).toBeUndefined();
	expect(guard.refusal({ server: "b", uri: address.uri }, 60 * megabyte)).toBeDefined();
	guard.forget(address);
	expect(guard.refusal(address, 60 * megabyte)).toBeDefined();
});

test("a changed limit applies at once", () => {
	let limit = 1;
	const guard = new SizeGuard(
		() => limit,
		() => undefined,
	);
	expect(guard.refusal(address, 2)).toBeDefined();
	limit = 2;
	expect(guard.refusal(address, 2)).toBeUndefined();
});
