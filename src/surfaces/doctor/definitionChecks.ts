import { readConfigText } from "../../base/configText.ts";
import { hasHiddenCharacters, oneLine } from "../../base/text.ts";
import { secretsIn } from "../../base/secrets/judge.ts";
import { isOpen } from "../../servers/approval/keptApproval.ts";
import { variablesOf } from "../../servers/definitions/entryTexts.ts";
import { warningsFor } from "../../servers/review/review.ts";
import type { DoctorFacts } from "./facts.ts";
import type { EntryChange, Finding, Fix } from "./finding.ts";
import { isUnpinned, packageOf } from "../../servers/definitions/packageOf.ts";
import { homeOf, unboundPackage } from "../../setup/entries/latestVersion.ts";
import { placeIn, placeOfProblem } from "./place.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** How many places of one kind are named. */
const mostPlaces = 3;

/** The problems in the text of an entry: those that were found when it was read, and hidden characters. */
export function checkFile({ entry, problems }: DoctorFacts): readonly Finding[] {
	const findings: Finding[] = problems.map((problem) => {
		const { message, severity } = problem;
		const where = entry === undefined ? undefined : placeOfProblem(entry, problem);
		return {
			layer: "file",
			weight: "warning",
			what: oneLine(message, 300),
			...(severity === "error" ? { why: "The entry, or a part of it, is not used until this is fixed." } : {}),
			...(where === undefined ? {} : { where, fixes: [open(where)] }),
		};
	});
	if (entry === undefined) return findings;
	if (entry.text.startsWith("\uFEFF")) {
		findings.push({
			layer: "file",
			weight: "note",
			what: "The file begins with a byte order mark.",
			why: "MCP Host can read it, but some other programs cannot. Save the file as UTF-8 without it.",
		});
	}
	return [...findings, ...hiddenIn(entry)];
}

/** Characters in an entry that are invisible or only look like quotes, as in copied text. */
function hiddenIn(entry: NonNullable<DoctorFacts["entry"]>): readonly Finding[] {
	const value = entryValue(entry);
	const texts: { readonly text: string; readonly path: readonly (string | number)[] }[] = [];
	const collect = (part: unknown, path: readonly (string | number)[]): void => {
		if (typeof part === "string") texts.push({ text: part, path });
		else if (Array.isArray(part)) for (const [index, item] of part.entries()) collect(item, [...path, index]);
		else if (typeof part === "object" && part !== null)
			for (const [key, item] of Object.entries(part)) {
				texts.push({ text: key, path: [...path, key] });
				collect(item, [...path, key]);
			}
	};
	collect(value, []);
	const finding = (what: string, why: string, path: readonly (string | number)[]): Finding => {
		const where = placeIn(entry, path);
		return {
			layer: "file",
			weight: "warning",
			what,
			why,
			...(where === undefined ? {} : { where, fixes: [open(where)] }),
		};
	};
	return texts
		.flatMap(({ text, path }) => {
			if (path.includes("env") || path.includes("headers")) return [];
			if (hasHiddenCharacters(text) || /[\u00A0\u2000-\u200A\u202F\u3000]/.test(text))
				return [
					finding(
						`${nameOf(path)} contains hidden characters.`,
						"They are used unchanged, and are often copied by mistake. Type the text again.",
						path,
					),
				];
			if (/[\u201C\u201D\u201E\u2018\u2019]/.test(text) || /^[\u2013\u2014]\w/.test(text))
				return [
					finding(
						`${nameOf(path)} contains typographic quotes or dashes.`,
						"Programs do not treat them as quotes or dashes. Write ' and \" and -- instead.",
						path,
					),
				];
			return [];
		})
		.slice(0, mostPlaces);
}

/** The name of an entry's member; its value may be a secret. */
function nameOf(path: readonly (string | number)[]): string {
	const [key = "", ...rest] = path;
	const at = rest.map((part) => (typeof part === "number" ? ` ${part + 1}` : ` ${oneLine(part, 60)}`)).join("");
	return `“${oneLine(String(key), 60)}${at}” of the entry`;
}

function entryValue({ text, path }: NonNullable<DoctorFacts["entry"]>): unknown {
	let value: unknown = readConfigText(text).value;
	for (const key of path) value = Array.isArray(value) ? value[Number(key)] : jsonObjectOf(value)[key];
	return value;
}

/** Variables that have no value. */
export function checkVariables({ definition, environment, entry, launch }: DoctorFacts): readonly Finding[] {
	const { config, inputs } = definition;
	const findings = variablesOf(config).flatMap((name): readonly Finding[] => {
		const [kind, ...rest] = name.split(":");
		const variable = rest.join(":");
		const where = placeOfVariable(definition, entry, name);
		const at = where === undefined ? {} : { where };
		const toOpen = where === undefined ? [] : [open(where)];
		const plain = variable.split(":-", 1)[0] ?? variable;
		if (kind === "env" && environment[plain] === undefined && !variable.includes(":-")) {
			return [
				{
					layer: "variables",
					weight: "cause",
					what: `The environment variable ${oneLine(plain, 80)} is not set.`,
					why: "The entry refers to it. VS Code has the variables of your shell only if it was started from a terminal. Set the value here, or set the variable for your whole session.",
					...at,
					fixes: [...setVariableIn(definition, name, plain), ...toOpen],
				},
			];
		}
		if (kind === "input" && !inputs.some(({ id }) => id === variable)) {
			return [
				{
					layer: "variables",
					weight: "cause",
					what: `The entry uses \${${oneLine(name, 80)}}, but "inputs" defines no ${oneLine(variable, 80)}.`,
					why: `Add it to "inputs", or enter the value itself.`,
					...at,
					fixes: toOpen,
				},
			];
		}
		return [];
	});
	if (findings.length > 0 || !(launch instanceof Error)) return findings;
	const where = placeIn(entry);
	return [
		{
			layer: "variables",
			weight: "cause",
			what: oneLine(launch.message, 400),
			...(where === undefined ? {} : { where, fixes: [open(where)] }),
		},
	];
}

/** The place of the first text of an entry that uses a variable. */
function placeOfVariable(
	{ config }: DoctorFacts["definition"],
	entry: DoctorFacts["entry"],
	name: string,
): Finding["where"] {
	const find = (value: unknown, path: readonly (string | number)[]): readonly (string | number)[] | undefined => {
		if (typeof value === "string") return value.includes(`\${${name}}`) ? path : undefined;
		if (typeof value !== "object" || value === null) return undefined;
		const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
		for (const [key, member] of members) {
			const found = find(member as unknown, [...path, key]);
			if (found !== undefined) return found;
		}
		return undefined;
	};
	return placeIn(entry, find(config, []) ?? []);
}

/**
 * Makes an input of a variable of `env` or `headers` that has no value: the user is asked for it, and it is kept as a
 * secret.
 */
function setVariableIn({ config }: DoctorFacts["definition"], reference: string, name: string): readonly Fix[] {
	const key = config.kind === "stdio" ? "env" : "headers";
	const texts = config.kind === "stdio" ? config.env : config.headers;
	const set = Object.entries(texts)
		.filter(([, text]) => text.includes(`\${${reference}}`))
		.map(([member, text]) => ({
			path: [key, member],
			value: text.replaceAll(`\${${reference}}`, `\${input:${name}}`),
		}));
	return set.length === 0 ? [] : [setVariable(name, set)];
}

/** Asks for the value of a variable, which is kept in the secret store; the entry refers to it by an input. */
export function setVariable(name: string, set: EntryChange["set"]): Fix {
	const input = { type: "promptString", id: name, description: name, password: true } as const;
	return { kind: "change", title: "Set Variable…", change: { set, input } };
}

/** Opens a place. */
export function open(place: NonNullable<Finding["where"]>): Fix {
	return { kind: "open", title: place.line === undefined ? "Open Entry" : `Open at Line ${place.line}`, place };
}

/** The risks of a definition, whether or not the server runs. */
export function checkSecurity({ definition, entry }: DoctorFacts): readonly Finding[] {
	const { config, origin } = definition;
	const findings: Finding[] = warningsFor(config).map((warning) => ({
		layer: "security",
		weight: "note",
		what: warning,
	}));
	const literals = Object.entries(config.kind === "stdio" ? config.env : config.headers).filter(
		([name, value]) => !isOpen(value) && secretsIn(name, value, "entry").length > 0,
	);
	const key = config.kind === "stdio" ? "env" : "headers";
	for (const [name] of literals.slice(0, mostPlaces)) findings.push(inlineSecret(name, [key, name]));
	if (config.kind === "stdio") {
		const index = config.args.findIndex((argument) => secretsIn("", argument, "entry").length > 0);
		if (index !== -1) findings.push(inlineSecret(`argument ${index + 1}`, ["args", index]));
		const launched = packageOf(config.command, config.args);
		if (launched !== undefined && isUnpinned(launched)) {
			const where = placeIn(entry, ["args", launched.index]);
			const unbound = unboundPackage({ command: config.command, args: config.args, env: config.env });
			const bind: readonly Fix[] = unbound === undefined ? [] : [{ kind: "bind", title: "Bind to the Latest Version" }];
			const asked = unbound === undefined ? "" : ` To find the latest version, MCP Host asks ${homeOf(unbound)}.`;
			findings.push({
				layer: "security",
				weight: "note",
				what: `${launched.launcher === "docker" ? "The image" : "The package"} “${oneLine(launched.name, 100)}” has no fixed version.`,
				why: `Each start may run a different version. Add the version to the name.${asked}`,
				...(where === undefined ? {} : { where }),
				fixes: [...bind, ...(where === undefined ? [] : [open(where)])],
			});
		}
	}
	return findings;

	function inlineSecret(name: string, path: readonly (string | number)[]): Finding {
		const where = placeIn(entry, path);
		return {
			layer: "security",
			weight: origin.isWorkspace ? "warning" : "note",
			what: `${oneLine(name, 80)} looks like a secret, and is in plain text in ${oneLine(origin.label, 100)}.`,
			why: origin.isWorkspace
				? "Everyone who has this folder or its repository history can read it. Use an input, and replace the secret if the file was shared."
				: "Use an input. Its value is stored in the secret store.",
			...(where === undefined ? {} : { where, fixes: [open(where)] }),
		};
	}
}

/** The other hosts that run the same server. */
export function checkSharing({ twins, otherHost }: DoctorFacts): readonly Finding[] {
	const findings: Finding[] = [];
	if (otherHost !== undefined) {
		findings.push({
			layer: "sharing",
			weight: "note",
			what: oneLine(otherHost, 400),
			fixes: [{ kind: "command", title: "Choose Host…", command: "mcpHost.chooseRunner" }],
		});
	}
	const named = twins.slice(0, mostPlaces).map((name) => `“${oneLine(name, 60)}”`);
	if (named.length > 0) {
		findings.push({
			layer: "sharing",
			weight: "note",
			what: `The same server is also configured as ${named.join(", ")}.`,
			why: "Each of them runs as a separate process or session. Some servers support only one at a time.",
		});
	}
	return findings;
}

/** The problems of models with the tools of a running server. */
export function checkTools({ tools }: DoctorFacts): readonly Finding[] {
	if (tools === undefined) return [];
	const { tools: all, tokens, isLazy, whyHidden } = tools;
	const findings: Finding[] = [];
	const hidden = all.flatMap((tool) => {
		const why = whyHidden(tool);
		return why === undefined ? [] : [`${oneLine(tool.name, 80)}: ${oneLine(why, 200)}`];
	});
	if (hidden.length > 0) {
		findings.push({
			layer: "tools",
			weight: "warning",
			what: `${hidden.length === 1 ? "1 tool is" : `${hidden.length} tools are`} never offered to models.`,
			why: "Providers reject such definitions together with the whole request. Only the author of the server can fix this.",
			evidence: hidden.slice(0, 20),
			evidenceTitle: "Affected Tools",
		});
	}
	if (tokens !== undefined) {
		findings.push({
			layer: "tools",
			weight: isLazy ? "note" : "fine",
			what: `Its ${all.length === 1 ? "tool costs" : `${all.length} tools cost`} about ${tokens.toLocaleString("en-US")} tokens in each request.`,
			...(isLazy ? { why: "That is a lot. Models search for tools and load only those that they need." } : {}),
		});
	}
	return findings;
}
