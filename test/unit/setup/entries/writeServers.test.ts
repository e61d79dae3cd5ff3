import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import type { NewServer } from "../../../../src/setup/newServer.ts";
import { writerScene } from "./memoryText.ts";

const input = (id: string, more: Readonly<Record<string, string>> = {}) => ({
	type: "promptString",
	id,
	description: "The key",
	password: true,
	...more,
});

const acme: NewServer = {
	name: "acme",
	entry: { command: "node", args: ["acme.js"], env: { KEY: "${input:key}" } },
	inputs: [input("key")],
	values: new Map([["key", "s3cret"]]),
};
const plain: NewServer = { name: "plain", entry: { url: "https://example.com/mcp" }, inputs: [], values: new Map() };

const folder = { kind: "folder", folder: "/ws" } as const;

describe("ServersWriter", () => {
	it("writes servers with their inputs, and keeps their values for exactly the written ones (EDT-02)", async () => {
		const { writer, texts, valueOf, secrets } = writerScene({ folder: '{\n  // mine\n  "servers": {}\n}\n' });
		const keptBefore: number[] = [];
		texts.folder.onWrite = () => keptBefore.push(secrets.values.size);
		const { ids } = await writer.add(folder, [acme, plain]);
		expect(ids).toEqual(["mcp-json:/ws/.vscode/mcp.json#acme", "mcp-json:/ws/.vscode/mcp.json#plain"]);
		expect(texts.folder.text).toContain("// mine");
		expect(texts.folder.text).not.toContain("s3cret");
		expect(parse(texts.folder.text)).toEqual({
			servers: { acme: acme.entry, plain: plain.entry },
			inputs: acme.inputs,
		});
		// The value existed before the server did.
		expect(keptBefore).toEqual([1]);
		expect(await valueOf(texts.folder, "acme", "key")).toBe("s3cret");
	});

	it("writes into the user's settings beside other members", async () => {
		const { writer, texts, valueOf } = writerScene({ user: '{\n\t"editor.fontSize": 12 // large\n}\n' });
		await writer.add({ kind: "user" }, [acme]);
		expect(texts.user.text).toContain('"editor.fontSize": 12, // large');
		expect(parse(texts.user.text)).toEqual({
			"editor.fontSize": 12,
			"mcpHost.inputs": acme.inputs,
			"mcpHost.servers": { acme: acme.entry },
		});
		expect(await valueOf(texts.user, "acme", "key")).toBe("s3cret");
	});

	it("renames an input whose id another has, and shares one that is the same", async () => {
		const { writer, texts, valueOf } = writerScene();
		await writer.add(folder, [acme]);
		await writer.add(folder, [{ ...acme, name: "same" }]);
		const other = { ...acme, name: "other", inputs: [input("key", { description: "Another" })] };
		await writer.add(folder, [{ ...other, values: new Map([["key", "t0ken"]]) }]);
		const { servers, inputs } = parse(texts.folder.text) as {
			servers: Record<string, { env: { KEY: string } }>;
			inputs: { id: string }[];
		};
		expect(Object.values(servers).map(({ env }) => env.KEY)).toEqual([
			"${input:key}",
			"${input:key}",
			"${input:key-2}",
		]);
		expect(inputs.map(({ id }) => id)).toEqual(["key", "key-2"]);
		expect(await valueOf(texts.folder, "same", "key")).toBe("s3cret");
		expect(await valueOf(texts.folder, "other", "key-2")).toBe("t0ken");
	});

	it.each(["", '{\n\t"servers": {\n\t\t"a": { "command": "x" } // mine\n\t}\n}\n'])(
		"undoes everything by one call, exactly: %j",
		async (before) => {
			const { writer, texts, secrets } = writerScene({ folder: before });
			const { undo } = await writer.add(folder, [acme, plain]);
			await undo();
			expect(texts.folder.text).toBe(before);
			expect(secrets.values.size).toBe(0);
		},
	);

	it("undoes its own changes after later writes, and nothing that was changed", async () => {
		const { writer, texts } = writerScene();
		const first = await writer.add(folder, [acme]);
		const second = await writer.add(folder, [plain]);
		await first.undo();
		expect(parse(texts.folder.text)).toEqual({ servers: { plain: plain.entry } });
		texts.folder.text = texts.folder.text.replace("example.com", "example.org");
		await expect(second.undo()).rejects.toThrow(HostError);
		expect(texts.folder.text).toContain("example.org");
		texts.folder.text = '{ "servers": {} }';
		await expect(second.undo()).rejects.toThrow("There is nothing to undo: .vscode/mcp.json in ws no longer has");
	});

	it("leaves no value behind for a server that could not be written", async () => {
		const { writer, texts, secrets } = writerScene();
		texts.folder.onWrite = () => {
			throw new HostError("invalid", "unsaved changes");
		};
		await expect(writer.add(folder, [acme])).rejects.toThrow("unsaved changes");
		expect(secrets.values.size).toBe(0);
		expect(texts.folder.text).toBe("");
	});

	it("refuses a file that is not JSON, and a taken name", async () => {
		const { writer, texts, secrets } = writerScene({ folder: '{ "servers": {' });
		await expect(writer.add(folder, [acme])).rejects.toThrow(
			".vscode/mcp.json in ws is not valid JSON, so nothing was written. Fix it first.",
		);
		texts.folder.text = '{ "servers": { "acme": {} } }';
		await expect(writer.add(folder, [acme])).rejects.toThrow('already has a server named "acme"');
		expect(secrets.values.size).toBe(0);
	});
});
