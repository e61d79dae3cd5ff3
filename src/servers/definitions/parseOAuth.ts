import { keysOf } from "../../base/guards.ts";
import type { OAuthConfig, OAuthGrant } from "../../protocol/authorization.ts";
import { isJsonObject, type JsonObject, own } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { JsonPath } from "../../base/configText.ts";

/** Receives the problem at a place below the server's entry; `error` makes the entry invalid. */
export type OAuthReport = (path: JsonPath, message: string, severity: "error" | "warning") => void;

/** The keys of `oauth` by the member that they set; the later ones are those of other hosts. */
const aliases = {
	clientId: ["clientId"],
	clientSecret: ["clientSecret"],
	issuer: ["issuer"],
	clientMetadataUrl: ["clientMetadataUrl"],
	scopes: ["scopes", "scope"],
	redirectPort: ["redirectPort", "callbackPort"],
	allowMissingPkce: ["allowMissingPkce"],
	grant: ["grant"],
	enterpriseManaged: ["enterpriseManaged"],
} as const satisfies Record<keyof OAuthConfig, readonly string[]>;

/** The keys of `auth`, as Cursor has them. */
const cursorKeys = { clientId: "CLIENT_ID", clientSecret: "CLIENT_SECRET", scopes: "scopes" } as const;

/** The members of each grant, and whether it needs them. */
const grants = {
	authorization_code: {},
	client_credentials: { privateKey: false, algorithm: false },
	jwt_bearer: { assertion: true },
	cross_app_access: { idpIssuer: true, idpTokenEndpoint: true, idpClientId: true, idpIdToken: true },
} as const satisfies Record<OAuthGrant["kind"], Readonly<Record<string, boolean>>>;

/**
 * Reads how to sign in at a remote server: `oauth` of its entry, or `auth` as Cursor writes it. Undefined when neither
 * is there.
 */
export function parseOAuth(entry: JsonObject, report: OAuthReport): OAuthConfig | undefined {
	const key = own(entry, "oauth") === undefined ? "auth" : "oauth";
	const value = own(entry, key);
	if (value === undefined || value === null) return undefined;
	if (!isJsonObject(value)) {
		report([key], `"${key}" must be an object.`, "error");
		return undefined;
	}
	const read = new OAuthReader(value, key, report);
	const config = key === "oauth" ? read.oauth() : read.cursor();
	if (config.grant !== undefined) requireClient(config, config.grant, (message) => report([key], message, "error"));
	return config;
}

class OAuthReader {
	private readonly value: JsonObject;
	private readonly key: string;
	private readonly report: OAuthReport;

	constructor(value: JsonObject, key: string, report: OAuthReport) {
		this.value = value;
		this.key = key;
		this.report = report;
	}

	oauth(): OAuthConfig {
		this.warnOfUnknown(new Set(Object.values(aliases).flat()));
		const clientId = this.text("clientId");
		const clientSecret = this.text("clientSecret");
		const issuer = this.address("issuer", /^https?:\/\/./i, `"issuer" must begin with https://.`);
		const clientMetadataUrl = this.address(
			"clientMetadataUrl",
			/^https:\/\/[^/]+\/./i,
			`"clientMetadataUrl" must be the https:// address of a document.`,
		);
		const scopes = this.scopes(...aliases.scopes);
		const redirectPort = this.port(...aliases.redirectPort);
		const allowMissingPkce = this.boolean("allowMissingPkce");
		const grant = this.grant();
		const enterpriseManaged = this.boolean("enterpriseManaged");
		return {
			...(clientId === undefined ? {} : { clientId }),
			...(clientSecret === undefined ? {} : { clientSecret }),
			...(issuer === undefined ? {} : { issuer }),
			...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
			...(scopes === undefined ? {} : { scopes }),
			...(redirectPort === undefined ? {} : { redirectPort }),
			...(allowMissingPkce === undefined ? {} : { allowMissingPkce }),
			...(grant === undefined ? {} : { grant }),
			...(enterpriseManaged === undefined ? {} : { enterpriseManaged }),
		};
	}

	cursor(): OAuthConfig {
		this.warnOfUnknown(new Set(Object.values(cursorKeys)));
		const clientId = this.text(cursorKeys.clientId);
		const clientSecret = this.text(cursorKeys.clientSecret);
		const scopes = this.scopes(cursorKeys.scopes);
		return {
			...(clientId === undefined ? {} : { clientId }),
			...(clientSecret === undefined ? {} : { clientSecret }),
			...(scopes === undefined ? {} : { scopes }),
		};
	}

	private warnOfUnknown(known: ReadonlySet<string>): void {
		for (const name of Object.keys(this.value)) {
			if (known.has(name)) continue;
			const message = `"${oneLine(name, 40)}" is not a known key of "${this.key}" and is ignored.`;
			this.report([this.key, name], message, "warning");
		}
	}

	/** The first of these keys that is given. */
	private find(keys: readonly string[]): { readonly name: string; readonly found: unknown } | undefined {
		for (const name of keys) {
			const found = own(this.value, name);
			if (found !== undefined && found !== null) return { name, found };
		}
		return undefined;
	}

	private fail(path: JsonPath, message: string): undefined {
		this.report([this.key, ...path], message, "error");
		return undefined;
	}

	private text(name: string): string | undefined {
		const { found } = this.find([name]) ?? {};
		if (found === undefined) return undefined;
		return typeof found === "string" && found !== "" ? found : this.fail([name], `"${name}" must be a string.`);
	}

	private address(name: string, pattern: RegExp, message: string): string | undefined {
		const text = this.text(name);
		if (text === undefined || text.startsWith("${") || pattern.test(text)) return text;
		return this.fail([name], message);
	}

	private boolean(name: string): boolean | undefined {
		const { found } = this.find([name]) ?? {};
		if (found === undefined || typeof found === "boolean") return found;
		return this.fail([name], `"${name}" must be true or false.`);
	}

	private scopes(...names: readonly string[]): readonly string[] | undefined {
		const { name = "", found } = this.find(names) ?? {};
		if (found === undefined) return undefined;
		// Other hosts write them as the protocol does: one text, with blanks between.
		if (typeof found === "string") return found.split(/\s+/).filter((scope) => scope !== "");
		if (Array.isArray(found) && found.every((scope): scope is string => typeof scope === "string")) return found;
		return this.fail([name], `"${name}" must be a list of strings.`);
	}

	private port(...names: readonly string[]): number | undefined {
		const { name = "", found } = this.find(names) ?? {};
		if (found === undefined) return undefined;
		if (typeof found === "number" && Number.isInteger(found) && found > 0 && found < 65_536) return found;
		return this.fail([name], `"${name}" must be a port, a number from 1 to 65535.`);
	}

	private grant(): OAuthGrant | undefined {
		const { found } = this.find(aliases.grant) ?? {};
		if (found === undefined) return undefined;
		const members: JsonObject = isJsonObject(found) ? found : {};
		const kind: unknown = isJsonObject(found) ? own(found, "kind") : found;
		const known = keysOf(grants);
		const chosen = known.find((candidate) => candidate === kind);
		if (chosen === undefined) return this.fail(["grant"], `"grant" must be one of ${known.join(", ")}.`);
		const wanted: Readonly<Record<string, boolean>> = grants[chosen];
		const texts: Record<string, string> = {};
		let isSound = true;
		for (const [name, isNeeded] of Object.entries(wanted)) {
			const member = own(members, name);
			if (typeof member === "string" && member !== "") texts[name] = member;
			else if (isNeeded || member !== undefined) {
				isSound = false;
				this.fail(["grant"], `The grant ${chosen} requires "${name}" as a string.`);
			}
		}
		for (const name of Object.keys(members)) {
			if (name === "kind" || Object.hasOwn(wanted, name)) continue;
			const message = `"${oneLine(name, 40)}" is not used by the grant ${chosen} and is ignored.`;
			this.report([this.key, "grant", name], message, "warning");
		}
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table says which texts a grant of a kind has
		return isSound ? ({ kind: chosen, ...texts } as OAuthGrant) : undefined;
	}
}

/** The grants without a user identify the client by its registration. */
function requireClient(config: OAuthConfig, grant: OAuthGrant, fail: (message: string) => void): void {
	if (grant.kind === "authorization_code") return;
	if (config.clientId === undefined) fail(`The grant ${grant.kind} requires "clientId".`);
	const hasKey = grant.kind === "jwt_bearer" || (grant.kind === "client_credentials" && grant.privateKey !== undefined);
	if (!hasKey && config.clientSecret === undefined) fail(`The grant ${grant.kind} requires "clientSecret".`);
}
