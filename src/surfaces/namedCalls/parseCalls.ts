import { type ConfigText, type JsonPath, readConfigText, type TextRange } from "../../base/configText.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { copyAsJson } from "../../base/guards.ts";
import { oneLine } from "../../base/text.ts";
import { parseInputs } from "../../servers/definitions/parseInputs.ts";
import { inputsIn } from "./callInputs.ts";
import type { CallProblem, CallsFile, CallTarget, NamedCall } from "./namedCall.ts";
import { parseExpectations } from "./parseExpectations.ts";
import { member, type Report, reportUnknown } from "./reading.ts";

/** Largest file that is read, in characters, and most calls of one. */
const maxTextLength = 1_000_000;
const maxCalls = 1000;
/** The form that this version reads and writes. */
export const formVersion = 1;

const start: TextRange = { offset: 0, length: 1 };

/**
 * Reads a file of named calls: JSON with comments and trailing commas. A faulty call becomes a problem at its place,
 * and the valid ones are kept (CAL-01). Of a text that is not JSON nothing is kept: a missing part of a call could be
 * its restriction. Never throws.
 */
export function parseCalls(text: string): CallsFile {
	if (text.length > maxTextLength) {
		const message = `This file has more than ${maxTextLength.toLocaleString("en-US")} characters and was not read.`;
		return nothing([{ message, severity: "error", range: start }]);
	}
	const read = readConfigText(text);
	if (read.faults.length > 0) {
		// A new file is empty, which is not an error.
		if (text.trim() === "") return nothing([]);
		return nothing(
			read.faults.map(({ message, ...range }) => ({
				message: `Not valid JSON: ${message}.`,
				severity: "error",
				range,
			})),
		);
	}
	try {
		return readFile(read);
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		return nothing([{ message: "This file is nested too deeply and was not read.", severity: "error", range: start }]);
	}
}

function nothing(problems: readonly CallProblem[]): CallsFile {
	return { calls: [], inputs: [], problems, rangeOf: () => start };
}

function readFile(text: ConfigText): CallsFile {
	const problems: CallProblem[] = [];
	const rangeOf = (path: JsonPath): TextRange => text.rangeOf(path) ?? start;
	const report: Report = (path, message, severity = "error") => {
		problems.push({ message, severity, range: rangeOf(path) });
	};
	const result = (calls: readonly NamedCall[], inputs: CallsFile["inputs"] = []): CallsFile => ({
		calls,
		inputs,
		problems,
		rangeOf,
	});
	for (const path of text.repeated) {
		report(path, `"${oneLine(String(path.at(-1)), 40)}" is given more than once; the last one is used.`, "warning");
	}
	// Objects with a prototype, as the receiver of the arguments expects; `__proto__` stays a member.
	const root = copyAsJson(text.value ?? null);
	if (!isJsonObject(root)) {
		report([], 'A file of named calls is an object with "version" and "calls".');
		return result([]);
	}
	reportUnknown(root, ["$schema", "version", "inputs", "calls"], [], report);
	const version = member(root, "version");
	if (version !== formVersion) {
		report(
			["version"],
			version === undefined
				? `"version" is missing: add "version": ${formVersion}.`
				: `Version ${oneLine(JSON.stringify(version), 20)} of this format is not supported. Use version ${formVersion}.`,
		);
		return result([]);
	}
	const inputs = parseInputs(member(root, "inputs"), "inputs", report);
	const calls = member(root, "calls");
	if (!isJsonObject(calls)) {
		report(["calls"], '"calls" must be an object that maps names to calls.');
		return result([], inputs);
	}
	const names = Object.keys(calls);
	if (names.length > maxCalls) report(["calls"], `Only the first ${maxCalls} of ${names.length} calls are read.`);
	const sound = names.slice(0, maxCalls).flatMap((name) => {
		const call = parseCall(name, calls[name], ["calls", name], report);
		if (call === undefined) return [];
		const unknown = inputsIn(call.target).filter((id) => !inputs.some((input) => input.id === id));
		for (const id of unknown) {
			report(["calls", name], `\${input:${oneLine(id, 40)}} is used, but "inputs" does not define it.`);
		}
		return unknown.length === 0 ? [call] : [];
	});
	return result(sound, inputs);
}

function parseCall(name: string, value: Json | undefined, path: JsonPath, report: Report): NamedCall | undefined {
	let isSound = true;
	const fail: Report = (place, message, severity = "error") => {
		if (severity === "error") isSound = false;
		report([...path, ...place], message, severity);
	};
	if (name.trim() === "" || name.length > 200) fail([], "A call needs a name of at most 200 characters.");
	if (!isJsonObject(value)) {
		fail([], "A call must be an object.");
		return undefined;
	}
	reportUnknown(value, ["description", "server", "tool", "prompt", "resource", "arguments", "expect"], [], fail);
	const description = member(value, "description");
	if (description !== undefined && typeof description !== "string")
		fail(["description"], '"description" must be a string.');
	const server = member(value, "server");
	if (typeof server !== "string" || server === "") fail(["server"], '"server" must be the name of a server.');
	const target = parseTarget(value, fail);
	const expect = parseExpectations(member(value, "expect"), target?.kind, (place, message, severity) =>
		fail(["expect", ...place], message, severity),
	);
	if (!isSound || target === undefined || typeof server !== "string") return undefined;
	return { name, server, target, expect };
}

function parseTarget(value: JsonObject, fail: Report): CallTarget | undefined {
	const given = (["tool", "prompt", "resource"] as const).filter((key) => Object.hasOwn(value, key));
	const [kind] = given;
	if (kind === undefined || given.length > 1) {
		fail([], 'A call must have exactly one of "tool", "prompt" and "resource".');
		return undefined;
	}
	const name = member(value, kind);
	if (typeof name !== "string" || name === "") {
		fail([kind], kind === "resource" ? '"resource" must be a URI.' : `"${kind}" must be the name of a ${kind}.`);
		return undefined;
	}
	const args = member(value, "arguments");
	if (kind === "resource") {
		if (args !== undefined) fail(["arguments"], "A resource takes no arguments.");
		return { kind, uri: name };
	}
	if (args !== undefined && !isJsonObject(args)) {
		fail(["arguments"], '"arguments" must be an object.');
		return undefined;
	}
	if (kind === "prompt") {
		// Specification, "Prompts": the arguments of a prompt are texts.
		for (const [key, argument] of Object.entries(args ?? {}))
			if (typeof argument !== "string") fail(["arguments", key], "The arguments of a prompt must be strings.");
	}
	return { kind, name, arguments: args ?? {} };
}
