import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../../../..");
/** Files that start programs of other systems only. */
const posixOnly = [
	"src/protocol/stdio/processTable.ts",
	"src/servers/otherHosts/processes.ts",
	"src/surfaces/bridge/peer.ts",
	"src/surfaces/doctor/shellPath.ts",
];

it("No program that is started opens a console window on Windows", () => {
	const starting = globSync("src/**/*.ts", { cwd: root })
		.map((file) => file.replaceAll("\\", "/"))
		.filter((file) => /(?<![.\w])(?:spawn|execFile)(?:Sync)?\(/.test(readFileSync(path.join(root, file), "utf8")));
	expect(starting).toEqual(expect.arrayContaining([...posixOnly, "src/protocol/stdio/childProcess.ts"]));
	for (const file of starting.filter((one) => !posixOnly.includes(one))) {
		const text = readFileSync(path.join(root, file), "utf8");
		const starts = text.match(/(?<![.\w])(?:spawn|execFile)\(/g)?.length ?? 0;
		expect([file, text.match(/windowsHide: true/g)?.length]).toEqual([file, starts]);
	}
});
