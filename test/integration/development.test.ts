import { symlinkSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { stderrLines } from "../../src/servers/sessions/stderrLines.ts";
import { SourceWatch } from "../../src/servers/development/sourceWatch.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { typescriptTemplate } from "../../src/setup/templates/serverTemplates.ts";
import { factsOf, TestHost } from "./testHost.ts";

/** The template in TypeScript in the folder of a host, with the packages that it declares, and an entry that runs it. */
function written(host: TestHost): JsonObject {
	const template = typescriptTemplate("orders");
	for (const [name, text] of template.files) writeFileSync(host.path(name), text);
	symlinkSync(resolve("node_modules"), host.path("node_modules"));
	return { ...template.entry(""), command: process.execPath, cwd: host.folder };
}

it("runs the template in TypeScript as it is created, with its log on standard error", async () => {
	await using host = new TestHost();
	const session = await host.run("orders", written(host));
	expect(factsOf(session).server).toMatchObject({ name: "orders" });
	await expect.poll(() => session.tools.items.map(({ name }) => name)).toEqual(["greet"]);
	const lines: string[] = [];
	stderrLines(session).event((line) => void lines.push(line));
	expect(await session.callTool("greet", { name: "Ann" })).toMatchObject({
		content: [{ type: "text", text: "Hello, Ann!" }],
	});
	await expect.poll(() => lines).toContain("greeting Ann");
});

it("opens a debugger port for Debug Server alone, and restarts on a change of a watched file (CFG-47)", async () => {
	await using host = new TestHost();
	const core = host.host;
	const session = await host.run("orders", written(host));
	const { debugging } = await core.starts.get();
	const { id } = session.definition;
	expect(debugging.portOf(id)).toBeUndefined();
	debugging.begin(session.definition);
	await core.start(id, true);
	factsOf(session);
	const port = debugging.portOf(id)?.port ?? 0;
	const targets = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
	expect(JSON.stringify(targets)).toContain("server.ts");

	let changed: (path: string) => void = () => undefined;
	const watch = new SourceWatch({
		directory: core.registry,
		watch: (_folder, _pattern, onChange) => {
			changed = onChange;
			return { dispose: () => undefined };
		},
		resolve: (definition) => core.resolve(definition, () => false),
		logOf: () => ({ info: () => undefined }),
	});
	writeFileSync(
		host.path("server.ts"),
		(typescriptTemplate("orders").files.get("server.ts") ?? "").replace("Hello, ", "Good day, "),
	);
	changed(host.path("server.ts"));
	await expect
		.poll(async () => session.callTool("greet", { name: "Ann" }).catch(() => undefined))
		.toMatchObject({ content: [{ text: "Good day, Ann!" }] });
	watch.dispose();

	// A change does not start a server whose approval was revoked.
	await core.revoke(id);
	debugging.end(id);
	expect((await session.restart()).kind).toBe("needs-approval");
});
