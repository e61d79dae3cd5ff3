import { exactLine } from "../../base/exactLine.ts";
import type { Approval } from "../approval/approvals.ts";
import { keptContents, type StartDependencies } from "../approval/dependencies.ts";
import type { ReviewRow } from "./reviewProtocol.ts";
import { shownEnvironment } from "./shownValue.ts";

/** The prefix of the names of variables among what a start depends on. */
const variable = "variable ";

/**
 * The dependencies of a start beside the definition, with those that were added, changed and removed since it was
 * approved. The approval does not keep contents, so a change shows by name only.
 */
export function dependencyRows(
	dependencies: StartDependencies | undefined,
	former: Pick<Approval, "depends" | "salt"> | undefined,
): readonly ReviewRow[] {
	if (dependencies === undefined) return [];
	const { contents } = dependencies;
	const kept = former?.depends ?? {};
	const now = former === undefined ? {} : keptContents(contents, former.salt);
	const row = (
		label: string,
		belongs: (name: string) => boolean,
		show: (name: string, content: string) => string,
		showFormer: (name: string) => string,
	): readonly ReviewRow[] => {
		const names = [...contents.keys()].filter(belongs).sort();
		const before = Object.keys(kept).filter(belongs).sort();
		if (names.length === 0 && before.length === 0) return [];
		const values = names.map((name) => exactLine(show(name, contents.get(name) ?? "")));
		const isSame = names.length === before.length && names.every((name) => kept[name] === now[name]);
		if (former === undefined || isSame) return [{ label, values }];
		const beforeValues = before.map((name) =>
			exactLine(kept[name] === now[name] ? show(name, contents.get(name) ?? "") : showFormer(name)),
		);
		return [{ label, values, former: beforeValues }];
	};
	const isVariable = (name: string): boolean => name.startsWith(variable);
	return [
		...row(
			"Environment file sets",
			isVariable,
			(name, content) => {
				const plain = name.slice(variable.length);
				return `${plain}=${shownEnvironment(plain, content)}`;
			},
			(name) => `${name.slice(variable.length)}=(another value)`,
		),
		...row(
			"Depends on",
			(name) => !isVariable(name),
			(name, content) => (name === "command" ? `${name} ${content}` : name),
			(name) => `${name} (other content)`,
		),
	];
}

/** The names of the variables whose values the review masks, of the entry and of its environment file. */
export function maskedVariables(
	env: Readonly<Record<string, string>>,
	dependencies: StartDependencies | undefined,
): readonly string[] {
	const file = [...(dependencies?.contents ?? [])].flatMap(([name, content]) =>
		name.startsWith(variable) ? [[name.slice(variable.length), content] as const] : [],
	);
	const all = [...Object.entries(env), ...file];
	return [...new Set(all.flatMap(([name, value]) => (shownEnvironment(name, value) === value ? [] : [name])))];
}
