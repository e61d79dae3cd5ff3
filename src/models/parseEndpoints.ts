import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import {
	checkBaseURL,
	endpointId,
	endpointKinds,
	guessKind,
	type EndpointKind,
	type ModelEndpoint,
	type ModelOverride,
	type ModelTraits,
} from "./endpoints.ts";

/** The good entries of the setting, and one readable sentence for each fault. */
export interface ParsedEndpoints {
	readonly endpoints: readonly ModelEndpoint[];
	readonly problems: readonly string[];
}

/** Fields of a request that are reserved for the host: they decide what is requested and how an answer is read. */
const ownFields: readonly string[] = ["model", "messages", "stream", "tools", "tool_choice"];

/**
 * Reads the setting `mcpHost.models`. An entry without a usable name or address is reported and left out; in the others
 * a faulty field is reported and ignored. Never throws.
 */
export function parseEndpoints(setting: unknown): ParsedEndpoints {
	if (!Array.isArray(setting)) {
		return { endpoints: [], problems: setting === undefined ? [] : ["mcpHost.models must be a list of endpoints."] };
	}
	const endpoints: ModelEndpoint[] = [];
	const problems: string[] = [];
	for (const [index, entry] of (setting as readonly unknown[]).entries()) {
		const report: Report = (problem) => {
			problems.push(`mcpHost.models, entry ${index + 1}: ${problem}`);
			return undefined;
		};
		const parsed = parseEndpoint(entry, report);
		if (parsed === undefined) continue;
		if (endpoints.some(({ id }) => id === parsed.id))
			report(`another endpoint has the name "${parsed.name}" or a name that is too similar.`);
		else endpoints.push(parsed);
	}
	return { endpoints, problems };
}

/** Notes a problem; returns undefined, so that an unusable value can be left out directly. */
type Report = (problem: string) => undefined;

function parseEndpoint(entry: unknown, report: Report): ModelEndpoint | undefined {
	if (!isJsonObject(entry)) return report("an endpoint must have a name and a baseURL.");
	const { name, baseURL, models, kind, apiVersion, keyHeader, headers, secretHeaders } = entry;
	if (typeof name !== "string" || name.trim() === "") return report("the name is missing.");
	const label = `"${oneLine(name, 60)}"`;
	if (typeof baseURL !== "string") return report(`the baseURL of ${label} is missing.`);
	const address = checkBaseURL(baseURL);
	if ("problem" in address) return report(`the baseURL of ${label} cannot be used. ${address.problem}`);
	if (retired.has(new URL(address.url).hostname)) {
		report(`GitHub retired GitHub Models on 30 July 2026, so ${label} no longer works. Remove it.`);
	}
	if (models !== undefined && !isTextList(models)) {
		return report(`the models of ${label} must be a list of names. Remove it to offer all models.`);
	}
	if (kind !== undefined && !isKind(kind)) report(`the kind of ${label} must be one of ${endpointKinds.join(", ")}.`);
	if (apiVersion !== undefined && typeof apiVersion !== "string")
		report(`the apiVersion of ${label} must be a string.`);
	if (keyHeader !== undefined && !isHeaderName(keyHeader))
		report(`the keyHeader of ${label} must be the name of a header.`);
	return {
		id: endpointId(name),
		name: oneLine(name, 60),
		baseURL: address.url,
		kind: isKind(kind) ? kind : guessKind(address.url),
		apiVersion: typeof apiVersion === "string" && apiVersion !== "" ? apiVersion : undefined,
		keyHeader: isHeaderName(keyHeader) ? keyHeader.toLowerCase() : undefined,
		headers: parseHeaders(headers, label, report),
		secretHeaders: parseSecretHeaders(secretHeaders, label, report),
		models: models === undefined || models.length === 0 ? undefined : [...new Set(models)],
		traits: parseTraits(entry, (problem) => report(problem.replace("%", `of ${label}`))),
		overrides: parseOverrides(entry["overrides"], label, report),
	};
}

/** Where GitHub Models was: https://github.com/orgs/community/discussions/203602. */
const retired: ReadonlySet<string> = new Set(["models.github.ai", "models.inference.ai.azure.com"]);

/** Headers that the host writes itself, or that contain a secret, which must not be in a setting (SEC-01). */
const ownHeaders =
	/^(authorization|proxy-authorization|api-key|x-api-key|cookie|host|connection|accept|content-.*|transfer-encoding)$/;

function parseHeaders(value: Json | undefined, label: string, report: Report): Readonly<Record<string, string>> {
	if (value === undefined) return {};
	if (!isJsonObject(value)) {
		report(`the headers of ${label} must be an object of strings.`);
		return {};
	}
	const read = Object.entries(value).flatMap(([name, text]): [string, string][] => {
		const shown = oneLine(name, 60);
		if (!isHeaderName(name) || typeof text !== "string" || !/^[\x20-\x7e]*$/.test(text)) {
			report(`the header "${shown}" of ${label} cannot be sent.`);
		} else if (ownHeaders.test(name.toLowerCase())) {
			const advice =
				'Set the API key with "MCP Host: Manage Models…". keyHeader names its header; secretHeaders names other secret headers.';
			report(`the header "${shown}" of ${label} is not read from the settings. ${advice}`);
		} else return [[name.toLowerCase(), text]];
		return [];
	});
	return Object.fromEntries(read);
}

/** Headers that the connection itself writes. */
const connectionHeaders = /^(host|connection|accept|content-.*|transfer-encoding|user-agent)$/;

function parseSecretHeaders(value: Json | undefined, label: string, report: Report): readonly string[] {
	if (value === undefined) return [];
	if (!isTextList(value)) {
		report(
			`the secretHeaders of ${label} must be a list of header names; their values are set with "MCP Host: Manage Models…".`,
		);
		return [];
	}
	const names = value.map((name) => name.toLowerCase());
	const isFit = (name: string): boolean => isHeaderName(name) && !connectionHeaders.test(name);
	for (const name of names.filter((one) => !isFit(one)))
		report(`the secret header "${oneLine(name, 60)}" of ${label} cannot be sent.`);
	return [...new Set(names.filter(isFit))];
}

/** RFC 9110, 5.1. */
function isHeaderName(value: Json | undefined): value is string {
	return typeof value === "string" && /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(value);
}

function parseOverrides(value: Json | undefined, label: string, report: Report): readonly ModelOverride[] {
	if (value === undefined) return [];
	if (!isJsonObject(value)) {
		report(`the overrides of ${label} must be an object that maps model names to settings.`);
		return [];
	}
	return Object.entries(value).flatMap(([pattern, entry]) => {
		const of = `of the override "${oneLine(pattern, 60)}" of ${label}`;
		if (entry !== undefined && isJsonObject(entry)) {
			return [{ pattern, traits: parseTraits(entry, (problem) => report(problem.replace("%", of))) }];
		}
		report(`the value ${of} must be an object.`);
		return [];
	});
}

/** Reads the common members of an endpoint and an override. In a reported problem `%` is replaced by the owner. */
function parseTraits(entry: JsonObject, report: Report): ModelTraits {
	const read = <T extends Json>(key: string, isRight: (value: Json) => value is T, what: string): T | undefined => {
		const value = entry[key];
		if (value === undefined) return undefined;
		if (isRight(value)) return value;
		report(`the ${key} % must be ${what}.`);
		return undefined;
	};
	const isRole = isOneOf("system", "developer", "user");
	const isField = isOneOf("max_tokens", "max_completion_tokens");
	const traits = {
		maxInputTokens: whole(read("maxInputTokens", isPositive, "a number of 1 or more")),
		maxOutputTokens: whole(read("maxOutputTokens", isPositive, "a number of 1 or more")),
		tools: read("tools", isBoolean, "true or false"),
		images: read("images", isBoolean, "true or false"),
		maxTokensField: read("maxTokensField", isField, "max_tokens or max_completion_tokens"),
		systemRole: read("systemRole", isRole, "system, developer or user"),
		parameters: read("parameters", isParameters, `an object without ${ownFields.join(", ")}`),
	};
	return Object.fromEntries(Object.entries(traits).filter(([, value]) => value !== undefined));
}

function whole(value: number | undefined): number | undefined {
	return value === undefined ? undefined : Math.floor(value);
}

function isTextList(value: Json): value is readonly string[] {
	return Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "");
}

function isKind(value: Json | undefined): value is EndpointKind {
	return endpointKinds.some((kind) => kind === value);
}

function isPositive(value: Json): value is number {
	return typeof value === "number" && Number.isFinite(value) && value >= 1;
}

function isBoolean(value: Json): value is boolean {
	return typeof value === "boolean";
}

function isParameters(value: Json): value is JsonObject {
	return isJsonObject(value) && !Object.keys(value).some((key) => ownFields.includes(key));
}

function isOneOf<const T extends string>(...values: readonly T[]): (value: Json) => value is T {
	return (value): value is T => values.some((one) => one === value);
}
