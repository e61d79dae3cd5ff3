import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { archiveLimits, openArchive } from "../../../../src/setup/bundles/archive.ts";
import { readBundle } from "../../../../src/setup/bundles/bundle.ts";
import { BundleStore } from "../../../../src/setup/bundles/bundleStore.ts";
import { startedProcesses } from "../../base/startedProcesses.ts";
import { bundleOf, zipArchive, type ZipEntry } from "./zipArchive.ts";

const label = "/home/ada/weather.mcpb";
const linkMode = 0o120777;
const zeros = Buffer.alloc(12 * 1024 * 1024);

/** Archives that must not be unpacked, and a part of the sentence with the reason. */
const adversarial: Readonly<Record<string, readonly [bundle: () => Buffer, reason: string]>> = {
	"a path out of its folder": [() => bundleOf([{ name: "../evil.js" }]), "points outside its folder"],
	"a path out of its folder, further in": [() => bundleOf([{ name: "a/../../evil.js" }]), "points outside its folder"],
	"a path of the machine": [() => bundleOf([{ name: "/etc/evil" }]), "an absolute path"],
	"a drive letter": [() => bundleOf([{ name: "C:/evil.js" }]), "an absolute path"],
	"a drive letter without a slash": [() => bundleOf([{ name: "C:evil.js" }]), "an absolute path"],
	backslashes: [() => bundleOf([{ name: "..\\evil.js" }]), "contains a backslash"],
	"an alternate data stream": [() => bundleOf([{ name: "server/a.js:evil" }]), "contains a colon"],
	"a symbolic link": [() => bundleOf([{ name: "out", content: "/tmp", mode: linkMode }]), "is a link or a device"],
	"a device": [() => bundleOf([{ name: "tty", mode: 0o020666 }]), "is a link or a device"],
	"a link and a file through it": [
		() => bundleOf([{ name: "out", content: "..", mode: linkMode }, { name: "out/evil.js" }]),
		"is a link or a device",
	],
	"names that differ by case": [() => bundleOf([{ name: "Server/INDEX.js" }]), "are the same file on some systems"],
	"folders that differ by case": [() => bundleOf([{ name: "SERVER/other.js" }]), "are the same file on some systems"],
	"names that differ by normal form": [
		() => bundleOf([{ name: "caf\u00E9.js" }, { name: "cafe\u0301.js" }]),
		"are the same file on some systems",
	],
	"the same name twice": [
		() => bundleOf([{ name: "manifest.json", content: "{}" }]),
		"are the same file on some systems",
	],
	"a file where a folder is": [() => bundleOf([{ name: "server" }]), "are the same file on some systems"],
	"a folder where a file is": [() => bundleOf([{ name: "manifest.json/a" }]), "are the same file on some systems"],
	"a name with an end that is left off": [() => bundleOf([{ name: "server/a.js. " }]), "ends with a dot"],
	"hidden characters": [() => bundleOf([{ name: "server/\u202Esj.exe" }]), "hidden or unreadable"],
	"a NUL in a name": [() => bundleOf([{ name: "server/a.js\0.txt" }]), "hidden or unreadable"],
	"a name that is no UTF-8": [() => bundleOf([{ name: Buffer.from([0x61, 0xff, 0xfe]) }]), "hidden or unreadable"],
	"a name of nothing": [() => bundleOf([{ name: "" }]), "has no name"],
	"parts of nothing": [() => bundleOf([{ name: "a//b" }]), "has a part without a name"],
	"a name too long": [() => bundleOf([{ name: "a".repeat(300) }]), "is too long"],
	"folders too deep": [() => bundleOf([{ name: "a/".repeat(100) + "b" }]), "is more than 64 folders deep"],
	"a bomb by ratio": [() => bundleOf([{ name: "zeros", content: zeros }]), "more than 100 times its size"],
	"a bomb that lies about its size": [
		() => bundleOf([{ name: "zeros", content: zeros, claimedSize: 10 }]),
		"is damaged",
	],
	"a bomb of overlapping files": [
		() => {
			const kernel = { name: "k", content: Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251)) };
			const more = Array.from({ length: 50 }, (_, index) => ({ ...kernel, name: `k${index}`, isOverlapping: true }));
			return bundleOf([kernel, ...more]);
		},
		"overlap",
	],
	"a file too large": [
		() => bundleOf([{ name: "huge", claimedSize: archiveLimits.file + 1 }]),
		"would have more than 512 MB",
	],
	"too much in all": [
		() => bundleOf(["a", "b", "c"].map((name): ZipEntry => ({ name, claimedSize: 400 * 1024 * 1024 }))),
		"times its size",
	],
	"100,000 files": [
		() =>
			zipArchive(
				Array.from({ length: 100_000 }, (_, index) => ({ name: `f${index}`, isOverlapping: index > 0, method: 0 })),
			),
		"contains 100,000 files",
	],
	"fewer bytes than it says": [() => bundleOf([{ name: "a", content: "abc", claimedSize: 4 }]), "is damaged"],
	"a wrong checksum": [() => bundleOf([{ name: "a", content: "abc", claimedCrc: 1 }]), "its checksum is wrong"],
	"an encrypted file": [() => bundleOf([{ name: "a", content: "abc", isEncrypted: true }]), "is encrypted"],
	"a method that nobody reads": [() => bundleOf([{ name: "a", content: "abc", method: 99 }]), "uses a compression"],
	"folders without end": [
		() => bundleOf(Array.from({ length: 500 }, (_, n) => ({ name: `${n}/${"a/".repeat(60)}x` }))),
		"times its size",
	],
	"a folder with contents": [() => bundleOf([{ name: "a/", content: "abc" }]), "folder entry that contains data"],
	"an archive that was cut off": [() => bundleOf().subarray(0, -30), "is incomplete"],
	"an archive without its beginning": [() => bundleOf().subarray(60), ""],
	"no archive": [() => Buffer.from("<!doctype html><p>Not found"), "is not a ZIP archive"],
	"nothing at all": [() => Buffer.alloc(0), "is not a ZIP archive"],
	"no manifest": [() => zipArchive([{ name: "a" }]), "has no manifest.json"],
	"no main file": [
		() =>
			zipArchive([
				{
					name: "manifest.json",
					content: JSON.stringify({
						manifest_version: "0.3",
						name: "a",
						version: "1",
						author: { name: "b" },
						server: { type: "node", entry_point: "x.js", mcp_config: { command: "node" } },
					}),
				},
			]),
		"does not contain the main file of its node server, x.js",
	],
};

let outside: string;
let store: BundleStore;

beforeEach(async () => {
	outside = await mkdtemp(join(tmpdir(), "bundles-"));
	await writeFile(join(outside, "precious.txt"), "as it was");
	store = new BundleStore(join(outside, "storage", "bundles"));
});

afterEach(() => rm(outside, { recursive: true, force: true }));

async function install(bytes: Buffer): Promise<string> {
	const bundle = await readBundle(bytes, { label });
	const id = store.newId(bundle);
	await store.install(bundle, id, new Set());
	return id;
}

/** Every file below the folder, with its contents, except for files unpacked at the correct place. */
async function leftOutside(): Promise<readonly string[]> {
	const names = await readdir(outside, { recursive: true, withFileTypes: true });
	return names.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
}

describe("an adversarial archive (BND-01, BND-02)", () => {
	it.each(Object.entries(adversarial))(
		"is refused with a reason and leaves nothing behind: %s",
		async (_name, which) => {
			const [bundle, reason] = which;
			const before = startedProcesses();
			const error: unknown = await install(bundle()).catch((cause: unknown) => cause);
			expect(error).toBeInstanceOf(HostError);
			const { message } = error as HostError;
			expect(message).toContain(`${label} was not installed. `);
			expect(message).toContain(reason);
			expect(message.endsWith(".")).toBe(true);
			expect(await leftOutside()).toEqual(["precious.txt"]);
			expect(await readFile(join(outside, "precious.txt"), "utf8")).toBe("as it was");
			expect(startedProcesses()).toBeLessThanOrEqual(before);
		},
	);

	it("never writes outside its folder, for any names", async () => {
		const pieces = ["..", ".", "", "a", "A", "C:", "\\", "..\\", "~", "con", "a ", "é", "e\u0301", "server", "\0", "…"];
		let seed = 7;
		const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
		let unpacked = 0;
		for (let round = 0; round < 300; round++) {
			const names = Array.from({ length: 1 + random(3) }, () =>
				Array.from({ length: 1 + random(4) }, () => pieces[random(pieces.length)]).join("/"),
			);
			const id = await install(bundleOf(names.map((name) => ({ name, content: "x" })))).catch((error: unknown) => {
				expect(error).toBeInstanceOf(HostError);
			});
			if (id === undefined) continue;
			unpacked++;
			for (const name of names) {
				const isFolder = name.endsWith("/");
				if (!isFolder) expect(await readFile(join(store.folderOf(id), name), "utf8")).toBe("x");
			}
			await store.remove(id);
			expect(await leftOutside()).toEqual(["precious.txt"]);
		}
		expect(unpacked).toBeGreaterThan(10);
	});
});

describe("an archive", () => {
	it("is unpacked with its folders, its contents and its executables, and with no further rights", async () => {
		const more = [
			{ name: "empty/" },
			{ name: "bin/", mode: 0o040755 },
			{ name: "bin/run", content: "#!/bin/sh", mode: 0o104777 },
			{ name: "lib/deep/er/data.bin", content: zeros.subarray(0, 100_000), method: 0 },
			{ name: "lib/ünïcode.txt", content: "ok", mode: 0o100644 },
		];
		const id = await install(bundleOf(more));
		const folder = store.folderOf(id);
		expect(await readFile(join(folder, "lib/ünïcode.txt"), "utf8")).toBe("ok");
		expect((await readFile(join(folder, "lib/deep/er/data.bin"))).length).toBe(100_000);
		if (process.platform === "win32") return;
		expect((await stat(join(folder, "bin/run"))).mode & 0o7777 & ~process.umask()).toBe(0o755 & ~process.umask());
		expect((await stat(join(folder, "lib/ünïcode.txt"))).mode & 0o111).toBe(0);
	});

	it("is not treated as a bomb while it is small", async () => {
		const { total } = await openArchive(zipArchive([{ name: "log", content: zeros.subarray(0, 9_000_000) }]));
		expect(total).toBe(9_000_000);
	});

	it("has no names of devices where Windows reads it", async () => {
		const bytes = zipArchive([{ name: "lib/aux.js" }]);
		await expect(openArchive(bytes, archiveLimits, true)).rejects.toThrow("is not a valid file name on Windows");
		await expect(openArchive(bytes, archiveLimits, false)).resolves.toMatchObject({ files: [{ path: "lib/aux.js" }] });
	});

	it("with a signature after it is read without it, whether its end declares it or not", async () => {
		const signature = Buffer.concat([Buffer.from("MCPB_SIG_V1"), Buffer.alloc(100, 1), Buffer.from("MCPB_SIG_END")]);
		const appended = Buffer.concat([bundleOf(), signature]);
		await expect(readBundle(appended, { label })).resolves.toMatchObject({ signature: { kind: "broken" } });
		const told = Buffer.from(appended);
		told.writeUInt16LE(signature.length, bundleOf().length - 2);
		await expect(readBundle(told, { label })).resolves.toMatchObject({ signature: { kind: "broken" } });
	});

	it("that an ended editor left half unpacked is removed by the next one", async () => {
		const left = join(outside, "storage", "bundles", "left-000000000000-00000000");
		await mkdir(join(left, "files"), { recursive: true });
		const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
		const { utimes } = await import("node:fs/promises");
		await utimes(left, old, old);
		const id = await install(bundleOf());
		expect(await readdir(join(outside, "storage", "bundles"))).toEqual([id]);
	});
});
