import { createHmac, randomUUID } from "node:crypto";
import { compact } from "../../base/store/compact.ts";
import type { Journal } from "../../base/store/journal.ts";
import { withoutSecrets } from "../../base/secrets/judge.ts";
import { decidesWhatRuns } from "../../protocol/stdio/decidingVariables.ts";
import { isJsonObject } from "../../base/json.ts";
import { isTextObject } from "../../base/guards.ts";
import type { Approval } from "./approvals.ts";
import { type Contents, keptContents } from "./dependencies.ts";
import type { ServerConfig, ServerDefinition } from "../definitions/config.ts";

const secretMembers = new Set(["clientSecret", "privateKey", "assertion", "idpIdToken"]);

/** A text of a configuration that is kept, without the hashes that its concealed values are compared by. */
export function withoutConcealed(text: string): string {
	return text.replace(/\((\d+) characters\) [\da-f]{64}/g, (_, length: string) => maskedLength(length));
}

/**
 * Whether a value may be shown: a reference, a switch or a small number; any other literal may be a secret, the default of a
 * reference among them.
 */
export function isOpen(value: string): boolean {
	return /^(\$\{(?:(?!:-.)[^{}])*\}|true|false|\d{1,6}|)$/.test(value);
}

/** Variables that hold addresses of registries and repositories, which may carry a password; none of them is a list of paths. */
const holdsAddresses =
	/^(NPM_CONFIG|YARN|PNPM|COREPACK|UV|PIPX?|CARGO|BUNDLE|GOPROXY$|DOCKER_HOST$|GIT_CONFIG_(KEY|VALUE)_\d)(?!.*(OPTIONS|FLAGS|ARGS|SHELL|PATH|RUNNER|ALIAS|COMMAND))/i;

/**
 * The user name in an address: of plain characters only, so that it cannot hide code, and only where an address begins.
 * Plain are letters, digits and currency signs of all scripts, and marks that neither separate commands or addresses
 * nor quote or call. A password with other characters is shown, because it cannot be distinguished from code. A
 * concealed password already has its own form.
 */
const userinfo =
	/((?:^|(?<=[\s,|])|^[\w-]+=|^url\.)[a-z][a-z\d+.-]{0,20}:\/\/)((?:\$\{[^{}\s/]*\}|[\p{L}\p{M}\p{N}\p{Sc}\w.~:%+=!*@^-])+|\(\d+ characters\) [\da-f]{64})@/giu;

/**
 * The value of a variable with its secrets replaced. One that decides what code runs must be visible (CFG-27): only the
 * user name in an address is hidden in it.
 */
function hideIn(name: string, value: string, hide: (secret: string) => string): string {
	if (!decidesWhatRuns(name)) return hide(value);
	if (!holdsAddresses.test(name)) return value;
	return value.replace(userinfo, (found: string, before: string, user: string) =>
		// A value of git's settings may be a command, which begins with the setting's name.
		/^git.*=/i.test(name + before) ? found : `${before}${hide(user)}@`,
	);
}

/**
 * How the value of a variable is shown: in full, with the secrets that `hide` replaces; a value that decides what code
 * runs is never hidden, except for the user name in an address in it.
 */
export function shownVariable(name: string, value: string, hide: (secret: string) => string): string {
	return hideIn(name, value, hide);
}

/** How a secret is shown: a reference in full, a literal by its length. */
export function shownSecret(value: string): string {
	return isOpen(value) ? value : maskedLength(String(value.length));
}

function maskedLength(length: string): string {
	return `(masked: ${length} characters)`;
}

/**
 * A configuration in the form that may be written to a file. Values in places of secrets (variables, headers, the
 * secrets of a sign-in), and other proven secrets, are replaced by their length and a keyed hash. The same value with
 * the same salt gives the same text, so that a change shows; the value itself cannot be read back.
 */
export function conceal(config: ServerConfig, salt: string): ServerConfig {
	const hide = (value: string): string =>
		isOpen(value) ? value : `(${value.length} characters) ${createHmac("sha256", salt).update(value).digest("hex")}`;
	const hideProven = (text: string, name = ""): string => withoutSecrets(name, text, "entry", hide);
	if (config.kind === "stdio") {
		const { command, args, cwd, envFile } = config;
		const env = Object.entries(config.env).map(([name, value]) => [name, hideIn(name, value, hide)] as const);
		return {
			...config,
			command: hideProven(command),
			args: args.map((text, index) => hideProven(text, optionBefore(args, index))),
			...(cwd === undefined ? {} : { cwd: hideProven(cwd) }),
			...(envFile === undefined ? {} : { envFile: hideProven(envFile) }),
			env: Object.fromEntries(env),
		};
	}
	const { oauth } = config;
	return {
		...config,
		url: hideProven(config.url),
		headers: hideMembers(config.headers, hide, () => true),
		...(oauth === undefined ? {} : { oauth: hideMembers(oauth, hide) }),
	};
}

/** The name of the option whose value an argument is, as in `--api-key VALUE`; empty for none. */
function optionBefore(args: readonly string[], index: number): string {
	return args[index]?.startsWith("-") === true ? "" : (/^--?([A-Za-z][\w-]*)$/.exec(args[index - 1] ?? "")?.[1] ?? "");
}

function hideMembers<T>(value: T, hide: (text: string) => string, isSecret?: (member: string) => boolean): T;
function hideMembers(
	value: unknown,
	hide: (text: string) => string,
	isSecret = (member: string): boolean => secretMembers.has(member),
): unknown {
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [
			name,
			typeof member === "string" && isSecret(name) ? hide(member) : hideMembers(member, hide, isSecret),
		]),
	);
}

/**
 * Stores an approval of a definition, and of what its start depends on, under a key. The former approval is removed
 * from the disk.
 */
export async function keepApproval(
	journal: Journal | undefined,
	key: string,
	{ hash, config, roots }: ServerDefinition,
	{ contents, isAutomatic }: { readonly contents: Contents | undefined; readonly isAutomatic: boolean },
): Promise<void> {
	const choice = isAutomatic ? {} : { isAutomatic };
	journal?.put(key, { ...approvalOf(hash, config, contents), ...(roots && { roots }), ...choice });
	await leaveNothing(journal);
}

/**
 * Removes a former approval that no longer counts from the disk. If that fails, a later change does it. Never rejects.
 */
export async function leaveNothing(journal: Journal | undefined): Promise<void> {
	if (journal !== undefined) await compact(journal, { keepsDamage: true }).catch(() => undefined);
}

/** An approval of a configuration and its start's dependencies, in stored form. `at` is ISO 8601. */
export function approvalOf(hash: string, config: ServerConfig, contents: Contents = new Map()): Approval {
	const salt = randomUUID();
	const depends = contents.size === 0 ? {} : { depends: keptContents(contents, salt) };
	return { hash, config: conceal(config, salt), salt, ...depends, at: new Date().toISOString() };
}

/** Whether a stored configuration has the required members. */
export function isWholeConfig(config: unknown): boolean {
	if (!isJsonObject(config)) return false;
	const { kind, command, args, env, url, headers } = config;
	if (kind !== "stdio") return typeof url === "string" && isTextObject(headers);
	return (
		typeof command === "string" &&
		Array.isArray(args) &&
		args.every((one: unknown) => typeof one === "string") &&
		isTextObject(env)
	);
}
