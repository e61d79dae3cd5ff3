import { literalRange } from "../../protocol/authorization/addresses.ts";
import type { AppDomains } from "./appPolicy.ts";

const ranges = {
	public: undefined,
	private: "lies in a private network",
	loopback: "is this machine, with whatever runs on it",
	forbidden: "is an address that no app needs, such as that of a cloud's metadata service",
} as const;

/** What the user should know of domains before they let an app reach them, a sentence each; none for most. */
export function domainWarnings(domains: AppDomains): readonly string[] {
	const warnings: string[] = [];
	for (const one of new Set(Object.values(domains).flat())) {
		const [, scheme = "", star, host = "", port] = /^([a-z]+):\/\/(\*\.)?([^:]*)(?::(.*))?$/.exec(one) ?? [];
		const url = URL.parse(`https://${host}`);
		const range = url === null ? undefined : ranges[literalRange(url) ?? "public"];
		const isUnencrypted = (scheme === "http" || scheme === "ws") && range === undefined;
		if (star !== undefined && !host.includes(".")) warnings.push(`${one} is every domain that ends with .${host}.`);
		if (range !== undefined) warnings.push(`${one} ${range}.`);
		if (port === "*") warnings.push(`${one} is every port of its host.`);
		if (isUnencrypted) warnings.push(`The connection to ${one} is not encrypted.`);
	}
	return warnings;
}
