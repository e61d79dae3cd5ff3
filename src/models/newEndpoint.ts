import type { JsonObject } from "../base/json.ts";
import { checkBaseURL, endpointId, guessKind, type ModelEndpoint } from "./endpoints.ts";
import { parseEndpoints } from "./parseEndpoints.ts";
import { readAzureAddress, type EndpointPreset } from "./presets.ts";

/** An endpoint that is about to be added: the new setting, and its consequences. */
export interface NewEndpoint {
	readonly entry: JsonObject;
	readonly endpoint: ModelEndpoint;
}

/** The data in a new endpoint's address, or one sentence that says why it cannot be used. */
export type ReadAddress =
	| { readonly baseURL: string; readonly apiVersion?: string; readonly deployment?: string }
	| { readonly problem: string };

/** Reads the address that a user gave for a preset; none is given for any other endpoint. */
export function readAddress(text: string, preset: EndpointPreset | undefined): ReadAddress {
	const azure = preset?.kind === "azure" || isAzure(text) ? readAzureAddress(text) : undefined;
	const checked = checkBaseURL(azure?.baseURL ?? text);
	if ("problem" in checked) return checked;
	if (preset?.isTemplate === true && checked.url === preset.baseURL) {
		return {
			problem: "Replace your-resource with the name of your resource, or paste the address from the portal.",
		};
	}
	return {
		baseURL: checked.url,
		...(azure?.apiVersion === undefined ? {} : { apiVersion: azure.apiVersion }),
		...(azure?.deployment === undefined ? {} : { deployment: azure.deployment }),
	};
}

function isAzure(text: string): boolean {
	const url = URL.parse(text.trim());
	return url !== null && guessKind(url.href) === "azure";
}

/**
 * Makes the entry of the setting. Undefined when it could not be read back, which does not occur for checked addresses.
 */
export function newEndpoint(
	name: string,
	address: Exclude<ReadAddress, { readonly problem: string }>,
	preset: EndpointPreset | undefined,
	models: readonly string[],
): NewEndpoint | undefined {
	const { baseURL, apiVersion } = address;
	const kind = preset?.kind;
	const entry: JsonObject = {
		name,
		baseURL,
		...(kind === undefined || kind === guessKind(baseURL) ? {} : { kind }),
		...(apiVersion === undefined ? {} : { apiVersion }),
		...(models.length === 0 ? {} : { models }),
	};
	const [endpoint] = parseEndpoints([entry]).endpoints;
	return endpoint === undefined ? undefined : { entry, endpoint };
}

/** The name, or the name with the first number that distinguishes it from the used ones. */
export function uniqueName(name: string, used: readonly ModelEndpoint[]): string {
	const isFree = (candidate: string): boolean => !used.some(({ id }) => id === endpointId(candidate));
	if (isFree(name)) return name;
	for (let number = 2; ; number++) if (isFree(`${name} ${number}`)) return `${name} ${number}`;
}
