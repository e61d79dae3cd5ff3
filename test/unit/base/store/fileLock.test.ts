import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LockFiles, withFileLock } from "../../../../src/base/store/fileLock.ts";

let folder = "";
let file = "";
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), "lock-"));
	file = path.join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a file with an old date. */
function leave(name: string, text: string): void {
	writeFileSync(name, text);
	utimesSync(name, 1000, 1000);
}

describe("an abandoned lock is taken over (EDT-09)", () => {
	it.each([
		["of a process that is gone", () => writeFileSync(file, "2147483646 x")],
		["of a number that another program has by now", () => leave(file, "1 x")],
		["that its process did not get to write into", () => leave(file, "")],
		["with what was left of taking it over", () => (leave(file, ""), leave(`${file}.second`, ""))],
	])("%s", async (_what, make) => {
		make();
		expect(await withFileLock(file, async () => "done")).toBe("done");
		expect(readdirSync(folder)).toEqual([]);
	});
});

it("a lock is held by one at a time, even if all of them find an abandoned one (EDT-09)", async () => {
	writeFileSync(file, "2147483646 x");
	let holders = 0;
	const seen: number[] = [];
	await Promise.all(
		Array.from({ length: 20 }, () =>
			withFileLock(file, async () => {
				seen.push(++holders);
				await new Promise((done) => setTimeout(done, 1));
				holders--;
			}),
		),
	);
	expect(seen).toEqual(Array.from({ length: 20 }, () => 1));
});

/** A file system that refuses what Windows refuses of a file that another process has open or removes, so often. */
class RefusingFiles implements LockFiles {
	readonly names = new Map<string, string>();
	private readonly refusals: Partial<Record<keyof LockFiles, { readonly code: string; count: number }>>;

	constructor(refusals: Partial<Record<keyof LockFiles, { readonly code: string; count: number }>>) {
		this.refusals = refusals;
	}

	make(name: string, text: string): void {
		this.refuse("make");
		if (this.names.has(name)) throw failure("EEXIST");
		this.names.set(name, text);
	}

	read(name: string): string {
		this.refuse("read");
		const text = this.names.get(name);
		if (text === undefined) throw failure("ENOENT");
		return text;
	}

	remove(name: string): void {
		this.refuse("remove");
		this.names.delete(name);
	}

	age(): number {
		this.refuse("age");
		return 1;
	}

	private refuse(what: keyof LockFiles): void {
		const refusal = this.refusals[what];
		if (refusal !== undefined && refusal.count-- > 0) throw failure(refusal.code);
	}
}

function failure(code: string): Error {
	return Object.assign(new Error(code), { code });
}

describe("what the system refuses for a moment (EDT-09)", () => {
	it.each(["EPERM", "EACCES", "EBUSY"])("%s is tried again, whatever it is about", async (code) => {
		const files = new RefusingFiles({
			make: { code, count: 3 },
			read: { code, count: 3 },
			remove: { code, count: 3 },
			age: { code, count: 3 },
		});
		files.names.set("lock", "2147483646 gone");
		expect(await withFileLock("lock", async () => "done", files)).toBe("done");
		expect([...files.names.keys()]).toEqual([]);
		expect(await withFileLock("lock", async () => "again", files)).toBe("again");
	});

	it("does not end another window's lock, of which nobody can read who holds it", async () => {
		const files = new RefusingFiles({ read: { code: "EBUSY", count: 20 } });
		files.names.set("lock", `${process.pid} other`);
		const working = withFileLock("lock", async () => "done", files);
		await expect.poll(() => files.names.get("lock")).toBe(`${process.pid} other`);
		files.names.delete("lock");
		expect(await working).toBe("done");
	});

	it("for good is reported, and the work is not done", async () => {
		const files = new RefusingFiles({ make: { code: "EACCES", count: Number.POSITIVE_INFINITY } });
		let isDone = false;
		const work = async (): Promise<void> => void (isDone = true);
		await expect(withFileLock("/a/lock", work, files)).rejects.toThrow(
			"The system refuses access to /a/lock (EACCES). Check who may write there",
		);
		expect(isDone).toBe(false);
	});

	it("of the removal does not undo the work: the lock is too old soon", async () => {
		const files = new RefusingFiles({ remove: { code: "EPERM", count: Number.POSITIVE_INFINITY } });
		expect(await withFileLock("lock", async () => "done", files)).toBe("done");
	});

	it("is not what other errors are", async () => {
		const files = new RefusingFiles({ make: { code: "ENOSPC", count: 1 } });
		await expect(withFileLock("lock", async () => "done", files)).rejects.toThrow("ENOSPC");
	});
});
