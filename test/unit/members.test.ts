/** No interface, type of object shape or class of the source has a member that nothing reads; knip checks only exports. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Node, parseSync, Visitor } from "oxc-parser";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const files = globSync("{src,media}/**/*.ts", { cwd: root })
	.map((file) => file.replaceAll(path.sep, "/"))
	.filter((file) => !file.endsWith(".d.ts"));

/** Names of members that are read outside of the source, or only by the type checker, each with the reason. */
const readElsewhere: Readonly<Record<string, string>> = {
	brand: "tells a type from other texts",
	authority: "VS Code makes its Uri of it",
	stdio: "read by the kind of a server",
	isResource: "for readers of an exported activity",
	reconnected: "lit calls it",
	saveClientInformation: "the MCP SDK calls it",
	discoveryState: "the MCP SDK calls it",
	saveDiscoveryState: "the MCP SDK calls it",
	redirectToAuthorization: "the MCP SDK calls it",
	saveCodeVerifier: "the MCP SDK calls it",
	validateResourceURL: "the MCP SDK calls it",
};

/** The members that a text of the source declares, as `Owner.member`, and the names that it reads from objects. */
function membersIn(file: string, text: string): { declared: readonly string[]; read: readonly string[] } {
	const declared: string[] = [];
	const read: string[] = [];
	let owner = "";
	const declare = ({ key, computed }: { readonly key: Node; readonly computed: boolean }): void => {
		const name = nameOf(key, computed);
		if (name !== undefined) declared.push(`${owner}.${name}`);
	};
	const reads = (name: string | undefined): void => void (name !== undefined && read.push(name));
	const owns = ({ id }: { readonly id: { readonly name: string } | null }): void => void (owner = id?.name ?? owner);
	new Visitor({
		TSInterfaceDeclaration: owns,
		TSTypeAliasDeclaration: owns,
		ClassDeclaration: owns,
		FunctionDeclaration: owns,
		TSPropertySignature: declare,
		TSMethodSignature: declare,
		PropertyDefinition: declare,
		MethodDefinition: (node) => void (node.kind !== "constructor" && declare(node)),
		MemberExpression: ({ property, computed }) => reads(nameOf(property, computed)),
		ObjectPattern: ({ properties }) =>
			properties.forEach((one) => one.type === "Property" && reads(nameOf(one.key, one.computed))),
		// A message between a webview and its host names the called method.
		CallExpression: ({ callee, arguments: [first] }) => {
			const method = callee.type === "MemberExpression" ? nameOf(callee.property, callee.computed) : undefined;
			if (method !== "call" && method !== "notify") return;
			if (first !== undefined && first.type !== "SpreadElement") reads(nameOf(first, true));
		},
	}).visit(parseSync(file, text).program);
	return { declared, read };
}

function nameOf(key: Node, computed: boolean): string | undefined {
	if (key.type === "Identifier" && !computed) return key.name;
	return key.type === "Literal" && typeof key.value === "string" ? key.value : undefined;
}

/** The declared members of texts that none of them reads. */
function unread(texts: readonly (readonly [file: string, text: string])[]): readonly string[] {
	const members = texts.map(([file, text]) => membersIn(file, text));
	const known = new Set(members.flatMap(({ read }) => read));
	return members.flatMap(({ declared }) => declared).filter((member) => !known.has(nameIn(member)));
}

function nameIn(member: string): string {
	return member.slice(member.indexOf(".") + 1);
}

describe("A member of a type or class", () => {
	it("is detected when nothing reads it, and not when a pattern, an index or a message does", () => {
		const declaration = `interface A { used(): void; taken: 1; indexed: 2; called: 3; dead: 4 }`;
		const use = `class B { lost() {} } const { taken } = a; a.used(); a["indexed"]; host.call("called"); ({ dead: 4 });`;
		const texts = [["a.ts", declaration] as const, ["b.ts", use] as const];
		expect(unread(texts)).toEqual(["A.dead", "B.lost"]);
	});

	it("is read somewhere in the source, or is listed as read elsewhere", () => {
		const texts = files.map((file) => [file, readFileSync(path.join(root, file), "utf8")] as const);
		expect(texts.length).toBeGreaterThan(800);
		const found = unread(texts);
		expect(found.filter((member) => readElsewhere[nameIn(member)] === undefined)).toEqual([]);
		const names = new Set(found.map(nameIn));
		expect(Object.keys(readElsewhere).filter((name) => !names.has(name))).toEqual([]);
	});
});
