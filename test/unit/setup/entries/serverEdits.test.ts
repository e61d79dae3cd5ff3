import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { InputValues } from "../../../../src/servers/definitions/inputValues.ts";
import { ServerEdits } from "../../../../src/setup/entries/serverEdits.ts";
import { workspaceOrigin } from "../../servers/fixtures.ts";
import { setMembers } from "../../../../src/setup/entries/hints.ts";
import { MemoryText, writerScene } from "./memoryText.ts";

const key = { type: "promptString", id: "key", description: "The key", password: true };
const own = `{
	"editor.fontSize": 12, // large
	"mcpHost.inputs": [${JSON.stringify(key)}],
	"mcpHost.servers": {
		// the first
		"acme": {
			"command": "node", // mine
			"args": ["acme.js"],
			"env": { "KEY": "\${input:key}", "LEVEL": "2" }
		},
		"other": { "url": "https://example.com/mcp" } // stays
	}
}
`;
const shared = '{\n  "servers": {\n    "team": { "command": "node" } // ours\n  }\n}\n';

/** Edits of a user's settings and a folder's `mcp.json`, and their servers. */
async function scene(texts: Parameters<typeof writerScene>[0] & object = { user: own, folder: shared }) {
	const writing = writerScene(texts);
	const { writer, secrets, done } = writing;
	const inputs = new InputValues(secrets, async () => undefined);
	const choices = new Map<string, boolean | undefined>();
	const edits = new ServerEdits({
		writer,
		open: ({ kind }) => (kind === "user-settings" ? writing.texts.user : writing.texts.folder),
		inputs,
		refresh: async () => void done.push("refresh"),
		revoke: async (id) => {
			done.push(`revoke ${id}`);
			await inputs.forget(id);
		},
		switchedOff: { choose: (id, isOff) => void choices.set(id, isOff) },
	});
	const find = async (text: MemoryText, name: string): Promise<ServerDefinition> => {
		const definitions = await writer.definitionsOf(text, text.text);
		const found = [...definitions.values()].find((one) => one.id.endsWith(`#${name}`));
		if (found === undefined) throw new Error(`no ${name}`);
		return found;
	};
	const acme = texts.user === own ? await find(writing.texts.user, "acme") : undefined;
	if (acme !== undefined) await inputs.keep(acme, "key", "s3cret");
	return { ...writing, edits, choices, find, inputs };
}

describe("ServerEdits", () => {
	it("create no server that an organization does not allow, and write nothing then (REG-02)", async () => {
		const whyNot = ({ name, entry }: { readonly name: string; readonly entry: object }) =>
			name === "evil" || JSON.stringify(entry).includes("evil.js") ? "Your organization does not allow it." : undefined;
		const { edits, texts, find, writer, done } = await scene({ user: own, folder: shared, whyNot });
		const acme = await find(texts.user, "acme");
		const refused = { code: "denied", message: "Your organization does not allow it. Nothing was written." };
		const entry = { command: "node", args: ["evil.js"] };
		const server = { entry, inputs: [], values: new Map() };
		await expect(edits.edit(acme, server)).rejects.toMatchObject(refused);
		await expect(edits.duplicate(acme, "evil")).rejects.toMatchObject(refused);
		await expect(writer.add({ kind: "user" }, [{ ...server, name: "new" }])).rejects.toMatchObject(refused);
		expect([texts.user.text, texts.folder.text, done]).toEqual([own, shared, []]);
		await edits.edit(acme, { ...server, entry: { command: "node", args: ["good.js"] } });
		expect(texts.user.text).toContain("good.js");
	});

	it("remove an entry with its inputs and its values, and restore it exactly (EDT-03)", async () => {
		const { edits, texts, find, secrets, done, valueOf } = await scene();
		const { undo } = await edits.remove(await find(texts.user, "acme"));
		expect(texts.user.text).toBe(`{
	"editor.fontSize": 12, // large
	"mcpHost.servers": {
		// the first
		"other": { "url": "https://example.com/mcp" } // stays
	}
}
`);
		expect(done).toContain("revoke user-settings:#acme");
		expect(secrets.values.size).toBe(0);
		await undo();
		expect(texts.user.text).toBe(own);
		expect(await valueOf(texts.user, "acme", "key")).toBe("s3cret");
	});

	it("restore an entry beside later changes", async () => {
		const { edits, texts, find } = await scene();
		const { undo } = await edits.remove(await find(texts.user, "acme"));
		texts.user.text = texts.user.text.replace("12", "13");
		await undo();
		expect(parse(texts.user.text)).toEqual({ ...(parse(own) as object), "editor.fontSize": 13 });
	});

	it("turn a server of the user off and on in its entry, and a shared one by a choice (EDT-04)", async () => {
		const { edits, texts, find, choices } = await scene();
		await edits.switch(await find(texts.user, "other"), true);
		expect(texts.user.text).toContain('"other": { "url": "https://example.com/mcp", "disabled": true } // stays');
		expect((await find(texts.user, "other")).isOff).toBe(true);
		await edits.switch(await find(texts.user, "other"), false);
		expect(texts.user.text).toBe(own);
		const team = await find(texts.folder, "team");
		await edits.switch(team, true);
		expect(choices.get(team.id)).toBe(true);
		await edits.switch({ ...team, isOff: true }, false);
		expect(choices.get(team.id)).toBe(false);
		await edits.switch({ ...team, isOff: true }, true);
		expect(choices.get(team.id)).toBeUndefined();
		expect(texts.folder.text).toBe(shared);
	});

	it("write a copy beside it, which asks for its values again (CFG-11)", async () => {
		const { edits, texts, find, valueOf } = await scene();
		const { id, undo } = await edits.duplicate(await find(texts.user, "acme"), "acme-2");
		expect(id).toBe("user-settings:#acme-2");
		const { "mcpHost.servers": servers, "mcpHost.inputs": inputs } = parse(texts.user.text) as {
			"mcpHost.servers": Record<string, unknown>;
			"mcpHost.inputs": unknown[];
		};
		expect(servers["acme-2"]).toEqual(servers["acme"]);
		expect(inputs).toHaveLength(1);
		expect(await valueOf(texts.user, "acme-2", "key")).toBeUndefined();
		await undo();
		expect(texts.user.text).toBe(own);
	});

	it("move a server with its inputs and values, and no secret into a file that others share (EDT-05)", async () => {
		const { edits, texts, find, valueOf, done } = await scene({
			user: own.replace('"LEVEL": "2"', '"API_TOKEN": "plain-t0ken", "LEVEL": "2"'),
			folder: shared,
		});
		const acme = await find(texts.user, "acme");
		const { id, undo } = await edits.move(acme, texts.folder);
		expect(id).toBe("mcp-json:/ws/.vscode/mcp.json#acme");
		expect(texts.folder.text).not.toContain("plain-t0ken");
		expect(texts.folder.text).toContain('"API_TOKEN": "${input:acme-api-token}"');
		expect(texts.folder.text).toContain('"team": { "command": "node" }, // ours');
		expect(await valueOf(texts.folder, "acme", "acme-api-token")).toBe("plain-t0ken");
		expect(texts.user.text).not.toContain("acme");
		expect(done).toContain("revoke user-settings:#acme");
		await undo();
		expect(texts.folder.text).toBe(shared);
		expect(texts.user.text).toContain("plain-t0ken");
	});

	it("are recorded, and so is their undo (JRN-15)", async () => {
		const { edits, texts, find, notes } = await scene();
		const acme = await find(texts.user, "acme");
		const edited = await edits.edit(acme, { entry: { command: "deno" }, inputs: [], values: new Map() });
		await edited.undo();
		const moved = await edits.move(await find(texts.user, "acme"), texts.folder);
		await moved.undo();
		const removed = await edits.remove(await find(texts.user, "acme"));
		await removed.undo();
		const [user, folder] = [texts.user.origin.label, texts.folder.origin.label];
		expect(notes.entries.map((entry) => (entry.kind === "configuration" ? [entry.event, entry.place] : []))).toEqual([
			["edited", user],
			["edited", user],
			["moved", folder],
			["added", user],
			["removed", folder],
			["removed", user],
			["added", user],
		]);
	});

	it("change nothing if the new place has a server of that name", async () => {
		const { edits, texts, find } = await scene({ user: own, folder: '{"servers": {"acme": {"command": "x"}}}' });
		await expect(edits.move(await find(texts.user, "acme"), texts.folder)).rejects.toThrow("already");
		expect(texts.user.text).toBe(own);
	});

	it("write a user's changes in an entry, and nothing else of it (EDT-06)", async () => {
		const { edits, texts, find, valueOf } = await scene();
		const acme = await find(texts.user, "acme");
		const { entry, inputs } = await edits.read(acme);
		const id = "acme-token";
		const { undo } = await edits.edit(acme, {
			entry: { ...entry, args: ["new.js"], env: { KEY: "${input:key}", TOKEN: `\${input:${id}}` } },
			inputs: [...inputs, { ...key, id }],
			values: new Map([[id, "t0ken"]]),
		});
		expect(texts.user.text).toContain(
			'"command": "node", // mine\n\t\t\t"args": ["new.js"],\n\t\t\t"env": { "KEY": "${input:key}", "TOKEN": "${input:acme-token}" }',
		);
		expect(await valueOf(texts.user, "acme", id)).toBe("t0ken");
		expect(await valueOf(texts.user, "acme", "key")).toBe("s3cret");
		await undo();
		expect(texts.user.text).toBe(own);
	});

	it("keep one more value with the earlier ones, for the changed server (EDT-08)", async () => {
		const { edits, texts, valueOf } = await scene();
		const text = own.replace('"LEVEL": "2"', '"LEVEL": "${input:level}"');
		const level = { ...key, id: "level" };
		const written = text.replace(JSON.stringify(key), `${JSON.stringify(key)}, ${JSON.stringify(level)}`);
		await edits.rewrite(texts.user, "acme", { text: written, id: "level", value: "3" });
		expect(texts.user.text).toBe(written);
		expect(await valueOf(texts.user, "acme", "level")).toBe("3");
		expect(await valueOf(texts.user, "acme", "key")).toBe("s3cret");
	});

	it("report a missing entry, and write nothing", async () => {
		const { edits, texts, find } = await scene();
		const acme = await find(texts.user, "acme");
		texts.user.text = "{}";
		await expect(edits.remove(acme)).rejects.toThrow('"acme" was not found in User Settings. Refresh, then try again.');
		expect(texts.user.text).toBe("{}");
	});
});

describe("A fix of an entry (DOC-05)", () => {
	const text = `{\r\n\t// The team's.\r\n\t"servers": {\r\n\t\t"acme": { "command": "npx", "args": [] }, // ours\r\n\t},\r\n}\r\n`;
	const set = [{ path: ["env", "ACME_KEY"], value: "${input}" }];

	it("keeps comments and line ends, writes an input, and stores the value for only the changed server", async () => {
		const { edits, texts, valueOf, done } = await scene({ folder: text });
		const changed = setMembers(texts.folder.origin, text, "acme", { set, ask: "ACME_KEY" });
		await edits.rewrite(texts.folder, "acme", { ...changed, value: "s3cret" });
		expect(texts.folder.text).toContain("// The team's.\r\n");
		expect(texts.folder.text).toContain("// ours");
		expect(texts.folder.text).toContain('"ACME_KEY": "${input:acme-acme-key}"');
		expect(texts.folder.text).not.toContain("s3cret");
		expect(await valueOf(texts.folder, "acme", "acme-acme-key")).toBe("s3cret");
		expect(done).toEqual(["refresh"]);
	});

	it("uses another id if one is taken: another server's value is not this one's", () => {
		const taken = `{ "inputs": [{ "type": "promptString", "id": "acme-acme-key" }], "servers": { "acme": { "command": "x" } } }`;
		const { text: after, id } = setMembers(workspaceOrigin, taken, "acme", { set, ask: "ACME_KEY" });
		expect(id).toBe("acme-acme-key-2");
		expect(after).toContain('"ACME_KEY": "${input:acme-acme-key-2}"');
	});

	it("sets plain members in place, and writes nothing if the entry is gone or the text is broken", async () => {
		const plain = { set: [{ path: ["command"], value: "/opt/npx" }] };
		const { edits, texts } = await scene({ folder: text });
		const change = (target: MemoryText): Promise<boolean> =>
			edits.change(target, (now) => setMembers(target.origin, now, "acme", plain).text);
		expect([await change(texts.folder), await change(texts.folder)]).toEqual([true, false]);
		expect(texts.folder.text).toBe(text.replace('"npx"', '"/opt/npx"'));
		for (const folder of ['{ "servers": {} }', '{ "servers": { "acme": ']) {
			texts.folder.text = folder;
			await expect(change(texts.folder)).rejects.toThrow(/no longer in|not valid JSON/);
			expect(texts.folder.text).toBe(folder);
		}
		const other = new MemoryText({ kind: "followed", label: "Cursor", file: "/x", isWorkspace: false }, text);
		await expect(change(other)).rejects.toThrow("Cursor belongs to another program");
		expect(other.text).toBe(text);
	});
});
