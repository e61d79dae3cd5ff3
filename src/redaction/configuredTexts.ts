import { isJsonObject } from "../base/json.ts";
import { looksSecret } from "../base/secretWords.ts";
import type { ServerConfig } from "../servers/config.ts";
import { secretName } from "./secretNames.ts";

/** A text of a server's entry, unresolved, and whether it stands where secrets do. */
export interface ConfiguredText {
	readonly text: string;
	readonly isSecret: boolean;
}

/** The texts of an entry that may be, or name, a secret: variables, arguments, headers, the query, and the client. */
export function configuredTexts(config: ServerConfig): readonly ConfiguredText[] {
	if (config.kind === "stdio") return [...named(config.env), ...argumentTexts(config.args)];
	return [...headerTexts(config.headers), ...queryTexts(config.url), ...clientTexts(config.oauth)];
}

/** Whether a value is a path or an address rather than a secret. */
export function isPlace(value: string): boolean {
	return /^(?:\/(?:home|Users|usr|run|var|tmp|etc|opt|private|mnt|root|srv|workspaces?)\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/]|(?:https?|file|unix):\/\/[^@]*$)/.test(
		value,
	);
}

function named(texts: Readonly<Record<string, string>>): readonly ConfiguredText[] {
	return Object.entries(texts).map(([name, text]) => ({ text, isSecret: isNamedSecret(name) }));
}

function headerTexts(headers: Readonly<Record<string, string>>): readonly ConfiguredText[] {
	return Object.entries(headers).map(([name, text]) => ({
		text,
		isSecret: isNamedSecret(name) || /^(?:proxy-)?authorization$|^cookie$|[-_]key$/i.test(name),
	}));
}

/** Arguments, with `--name=value` and `--name value` told by their names. */
function argumentTexts(args: readonly string[]): readonly ConfiguredText[] {
	return args.map((argument, index) => {
		const [, name, value] = /^--?([\w-]+)=(.*)$/s.exec(argument) ?? [];
		if (name !== undefined && value !== undefined) return { text: value, isSecret: isNamedSecret(name) };
		const [, flag] = /^--?([\w-]+)$/.exec(args[index - 1] ?? "") ?? [];
		return { text: argument, isSecret: flag !== undefined && !argument.startsWith("-") && isNamedSecret(flag) };
	});
}

function queryTexts(url: string): readonly ConfiguredText[] {
	const query = url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";
	return query.split("&").flatMap((part) => {
		const [name = "", ...value] = part.split("=");
		return value.length === 0 ? [] : [{ text: value.join("="), isSecret: isNamedSecret(name) || name === "key" }];
	});
}

/** The members of `oauth` that are secret whatever they are called. */
const clientSecrets = new Set(["clientSecret", "privateKey", "assertion", "idpIdToken"]);

function clientTexts(value: unknown, key = ""): readonly ConfiguredText[] {
	if (typeof value === "string") return [{ text: value, isSecret: clientSecrets.has(key) }];
	return isJsonObject(value) ? Object.entries(value).flatMap(([name, part]) => clientTexts(part, name)) : [];
}

function isNamedSecret(name: string): boolean {
	return secretName(name) !== undefined || looksSecret(name);
}
