import { homedir } from "node:os";
import { resolve } from "node:path";
import type { OAuthConfig } from "../../protocol/authorization.ts";
import { decidesWhatRuns } from "../../protocol/stdio/decidingVariables.ts";
import { exactLine } from "../../base/exactLine.ts";
import { isThisMachine } from "../../base/addresses.ts";
import type { Approval } from "../approval/approvals.ts";
import type { StartDependencies } from "../approval/dependencies.ts";
import { conceal, isWholeConfig, shownSecret, withoutConcealed } from "../approval/keptApproval.ts";
import type { RootsRule } from "../definitions/rootsRule.ts";
import { warningsForRoots } from "../roots/offer.ts";
import type { ConfigOrigin, ServerConfig, ServerDefinition } from "../definitions/config.ts";
import { variablesOf, EntryTexts } from "../definitions/entryTexts.ts";
import { debugArguments } from "../development/debugLaunch.ts";
import { inputRows } from "./inputRows.ts";
import { dependencyRows, maskedVariables } from "./dependencyRows.ts";
import { handsOverMachine, runsText } from "./dangers.ts";
import { shownEnvironment, shownHeader } from "./shownValue.ts";
import type { ReviewRow, ServerReview } from "./reviewProtocol.ts";
import { noSandbox } from "../definitions/sandboxRequest.ts";
import { environmentVariable } from "../definitions/variableNames.ts";
const machine = { home: homedir(), isWindows: process.platform === "win32" };

/**
 * Describes a definition completely: every argument on its own line, environment and headers, and its start's
 * dependencies. Never shows a secret; everything that is not proven to be one is shown. `remarks` are additional facts,
 * in our words.
 */
export function reviewServer(
	definition: ServerDefinition,
	approved: Approval | undefined,
	remarks: readonly string[] = [],
	dependencies?: StartDependencies,
): ServerReview {
	// Damage is nothing to compare with.
	const former = isWholeConfig(approved?.config) ? approved : undefined;
	const { config, origin, inputs, roots, place, watch } = definition;
	const rows = describe(config, roots, origin);
	const before = former === undefined ? undefined : describe(former.config, former.roots, origin, true);
	// The approval is stored without its secrets, so it is compared with the stored form of the definition.
	const kept = former === undefined ? rows : describe(conceal(config, former.salt), roots, origin, true);
	const compared = kept.map((row) => {
		// The effective command is shown.
		const values = rows.find(({ label }) => label === row.label)?.values ?? row.values;
		return compare({ ...row, values }, before);
	});
	const removed = (before ?? []).filter(({ label }) => !rows.some((row) => row.label === label));
	return {
		name: definition.name,
		origin: exactLine(origin.file ?? origin.label),
		summary: summaryOf(rows),
		rows: [
			...compared,
			...removed.map(({ label, values }) => ({ label, values: [], former: values })),
			...dependencyRows(dependencies, former),
			...(watch === undefined
				? []
				: [{ label: "Restarts when these change", values: watch.map((one) => exactLine(one)) }]),
			...(place === undefined ? [] : [{ label: "Workspace folder", values: [exactLine(place)] }]),
			...inputRows(inputs, dependencies?.filled ?? []),
		],
		warnings: [
			...(place === undefined
				? []
				: [`The command depends on the open folder. You approve it for ${exactLine(place)} only.`]),
			...(definition.wantsSandbox === true ? [noSandbox] : []),
			...warningsFor(config, dependencies),
			...warningsForRoots(roots, origin, machine),
			...(dependencies?.remarks ?? []),
			...remarks,
		],
		meaning: meaningOf(config),
		isRemote: config.kind !== "stdio",
		isChange: approved !== undefined,
	};
}

/** A row with the values behind it, since different secrets may look the same. */
interface DescribedRow extends ReviewRow {
	readonly raw: readonly string[];
}

function compare({ label, values, raw }: DescribedRow, before: readonly DescribedRow[] | undefined): ReviewRow {
	const old = before?.find((row) => row.label === label);
	if (before === undefined || (old !== undefined && JSON.stringify(old.raw) === JSON.stringify(raw)))
		return { label, values };
	if (old === undefined) return { label, values, former: [] };
	const marked = values.map((value, index) => {
		const isMasked = value !== exactLine(raw[index] ?? "");
		return isMasked && old.values.includes(value) && !old.raw.includes(raw[index] ?? "")
			? `${value} (another value)`
			: value;
	});
	// Equal values are shown alike; of the former value only its identity is kept.
	const former = old.values.map((value, index) => values[raw.indexOf(old.raw[index] ?? "")] ?? value);
	return { label, values: marked, former };
}

/** The command with its arguments, those with spaces in quotation marks, or the address. */
function summaryOf(rows: readonly DescribedRow[]): string {
	const valuesOf = (label: string): readonly string[] => rows.find((row) => row.label === label)?.values ?? [];
	const words = [...valuesOf("Command"), ...valuesOf("Arguments")];
	const quoted = words.map((word) => (word === "" || word.includes(" ") ? JSON.stringify(word) : word));
	return words.length === 0 ? valuesOf("URL").join("") : quoted.join(" ");
}

/** The rows of a configuration; `isKept` says that it is one of an approval, in which secrets are concealed. */
function describe(
	config: ServerConfig,
	roots: RootsRule | undefined,
	origin: ConfigOrigin,
	isKept = false,
): readonly DescribedRow[] {
	const { folder } = origin;
	const rows: DescribedRow[] = [];
	const add = (
		label: string,
		raw: readonly string[],
		show: (text: string, index: number) => string = exactLine,
	): void => {
		if (raw.length > 0) rows.push({ label, values: raw.map((text, index) => show(text, index)), raw });
	};
	const pairs = (texts: Readonly<Record<string, string>>, separator: string): void =>
		add(
			config.kind === "stdio" ? "Environment" : "Headers",
			Object.entries(texts).map(([name, value]) => `${name}${separator}${value}`),
			(pair) => {
				const start = pair.indexOf(separator) + separator.length;
				const name = pair.slice(0, start - separator.length);
				const value = pair.slice(start);
				const shown = config.kind === "stdio" ? shownEnvironment : shownHeader;
				return exactLine(pair.slice(0, start) + (isKept ? withoutConcealed(value) : shown(name, value)));
			},
		);
	if (config.kind === "stdio") {
		const { command, args, cwd, envFile } = launchWords(config);
		// A current entry that has that form literally is shown unchanged.
		const shown = (text: string): string => exactLine(isKept ? withoutConcealed(text) : text);
		add("Command", [command], shown);
		add("Arguments", args, (text, index) => shown(shownArgument(config, index, text)));
		// A variable is shown as written, because a path around it would be invented.
		add("Working directory", [cwd?.includes("${") === true ? cwd : resolve(folder ?? homedir(), cwd ?? ".")], shown);
		pairs(config.env, "=");
		add("Environment file", envFile === undefined ? [] : [envFile], shown);
		if (config.debug !== undefined) add("Debug Server adds", debugArguments(config.debug, "(a free port)"));
	} else {
		add("URL", [config.url], (text) => exactLine(isKept ? withoutConcealed(text) : text));
		if (config.kind === "sse") add("Transport", ["HTTP+SSE"]);
		pairs(config.headers, ": ");
		if (config.oauth !== undefined) describeOAuth(config.oauth, add);
	}
	if (config.protocol !== "auto") add("Protocol", [config.protocol]);
	const read = variablesOf(config).flatMap((expression) => environmentVariable(expression) ?? []);
	add(
		"Reads from your environment",
		read.map(({ name, fallback }) => (fallback === undefined ? name : `${name}, or its default`)),
	);
	if (roots?.folders !== undefined) {
		add("Workspace folders as roots", roots.folders.length === 0 ? ["none"] : roots.folders);
	}
	add("Other roots", roots?.extra ?? []);
	return rows;
}

/** How a server is signed in at: who is named, where secrets go, and never a secret. */
function describeOAuth(
	oauth: OAuthConfig,
	add: (label: string, raw: readonly string[], show?: typeof exactLine) => void,
): void {
	const { clientId, clientSecret, issuer, clientMetadataUrl, scopes = [], redirectPort, grant } = oauth;
	const one = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);
	add("Signs in as client", one(clientId ?? clientMetadataUrl));
	add("Client secret", one(clientSecret), masked);
	add("Signs in at", one(issuer));
	add("Asks for scopes", scopes);
	add("Redirect port", redirectPort === undefined ? [] : [String(redirectPort)]);
	if (grant === undefined || grant.kind === "authorization_code") return;
	add("Signs in without asking you", [grant.kind]);
	if (grant.kind === "client_credentials") add("Private key", one(grant.privateKey), masked);
	if (grant.kind === "jwt_bearer") add("Assertion", [grant.assertion], masked);
	if (grant.kind === "cross_app_access") {
		add("Identity provider", [grant.idpIssuer, grant.idpTokenEndpoint, grant.idpClientId]);
		add("Identity token", [grant.idpIdToken], masked);
	}
}

/** The prompt, and the suggested answers that the user did not write: they become part of the command. */
/** A value as it may be shown: a reference in full, a literal only by its length, for it may be a secret. */
function masked(value: string): string {
	const kept = withoutConcealed(value);
	return exactLine(kept === value ? shownSecret(value) : kept);
}

const shell = /(^|[/\\])((ba|z|da|fi|c|k|tc)?sh|cmd|powershell|pwsh)(\.exe)?$/i;
/** Whole words only, and nothing that scans a long argument more than once: the text is a stranger's. */
const suspicious: readonly (readonly [RegExp, string])[] = [
	[/(^|[\s/\\])(sudo|doas|runas)(\s|$)/i, "It asks for administrator rights."],
	[/(?<![-\w])rm\s+-[a-z]*[rf]|\bdel\s+\/[sq]|\bmkfs\b|\bdd\s+if=/i, "It deletes or overwrites files."],
	[
		/(?<=^|[\s"'=:/\\])\.(ssh|aws|gnupg|kube)(?=[/\\\s"']|$)|\bid_(rsa|ed25519|ecdsa)\b/i,
		"It touches a folder that holds keys.",
	],
	[
		/\bbase64\s+(-d|--decode)|(?<![-\w])-enc(odedcommand)?(\s|$)|frombase64string/i,
		"It runs encoded text that cannot be read here.",
	],
	[/\b(nc|ncat|netcat)\s+-[a-z]*e|\/dev\/tcp\//i, "It opens a raw network connection to a shell."],
];

/** Unusual parts of a command; a hint for the reader, never a verdict. */
export function warningsFor(config: ServerConfig, dependencies?: StartDependencies): readonly string[] {
	if (config.kind !== "stdio") {
		const url = URL.parse(config.url);
		// The host is the target of the address, not its beginning: `http://127.0.0.1:80@evil.example/`.
		const isPlain = url === null ? /^http:/i.test(config.url) : url.protocol === "http:" && !isThisMachine(url);
		return [
			...(isPlain ? ["The connection is not encrypted (http)."] : []),
			...(config.oauth?.allowMissingPkce === true
				? ["It allows a sign-in that is not protected against theft (PKCE)."]
				: []),
		];
	}
	const run = launchWords(config);
	const words = [run.command, ...run.args];
	const line = words.join(" ");
	const warnings = suspicious.filter(([pattern]) => pattern.test(line)).map(([, warning]) => warning);
	if (downloadsAndRuns(line)) warnings.unshift("It downloads a script and runs it.");
	// A shell may follow another program, as in `env bash -c`.
	if (words.some((word, index) => shell.test(word) && (index === 0 || /^[-/][a-z]*c$/i.test(words[index + 1] ?? "")))) {
		warnings.unshift("It runs a shell, which can run any command.");
	}
	const masked = maskedVariables(config.env, dependencies);
	warnings.push(...runsText(words, masked), ...handsOverMachine(words));
	const deciding = Object.keys(config.env).filter(decidesWhatRuns);
	if (deciding.length > 0) warnings.push(`It sets ${deciding.join(", ")}, which affects what code runs.`);
	if (config.debug !== undefined)
		warnings.push(
			"Debug Server opens a debugger port on this machine. While it is open, programs of this machine can run code in the server.",
		);
	if (config.command === "${editorNode}") warnings.push("${editorNode} stands for the Node.js of this editor.");
	const texts = [...words, run.cwd ?? "", run.envFile ?? "", ...Object.keys(config.env)];
	if (texts.some((text) => exactLine(text) !== text)) {
		warnings.push("It contains hidden characters; they are shown as escapes.");
	}
	return warnings;
}

function downloadsAndRuns(line: string): boolean {
	if (/\biex\b|\binvoke-expression\b/i.test(line)) return true;
	const download = line.search(/\b(curl|wget|iwr|invoke-webrequest)\b/i);
	return download !== -1 && /\|\s*(sudo\s+)?((ba|z|da|fi)?sh|python\d?|node|perl|ruby)\b/i.test(line.slice(download));
}

type StdioConfig = Extract<ServerConfig, { kind: "stdio" }>;

/** A secret of a header as an argument, such as `Authorization:${env:TOKEN}`. */
const headerArgument = /^([A-Za-z][\w-]{0,60}):\s?\$\{env:([^{}:]+)\}$/;
/** Values that can only be tokens: code, or the name of a package or a file, would not be in a header. */
const token = /^(?:(?:Bearer|Basic|Token) )?[\w.+/=~-]+$/;

/**
 * The effective command of a local server: its own `env` and the home folder replace their variables, because they
 * decide what runs. External variables stay as written.
 */
export function launchWords(config: StdioConfig): Pick<StdioConfig, "command" | "args" | "cwd" | "envFile"> {
	const { command, args, cwd, envFile, env } = config;
	const texts = new EntryTexts(env, (expression) => (expression === "userHome" ? homedir() : undefined));
	return {
		command: texts.text(command),
		args: args.map((text) => texts.text(text)),
		...(cwd === undefined ? {} : { cwd: texts.text(cwd) }),
		...(envFile === undefined ? {} : { envFile: texts.text(envFile) }),
	};
}

/** How an argument is shown: as it will be, but for the token of a header, which `env` does not show either. */
export function shownArgument({ args, env }: StdioConfig, index: number, launched: string): string {
	const [, header = "", name = ""] = headerArgument.exec(args[index] ?? "") ?? [];
	const value = Object.hasOwn(env, name) ? env[name] : undefined;
	const shown = value !== undefined && token.test(value) ? shownHeader(header, value) : value;
	return shown === value ? launched : `${header}:${shown}`;
}

const own = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * The consequences of approving a server, in our sentences: what a program may do on this machine, or for a URL which
 * data is sent to whom, over what, with which headers, and that nothing of it runs here.
 */
export function meaningOf(config: ServerConfig): readonly string[] {
	const last = "You approve exactly what is shown; if anything changes, you are asked again.";
	if (config.kind === "stdio") {
		return [
			"A server runs with your permissions: it can read your files and use the network.",
			"Start it only if you trust where it comes from.",
			last,
		];
	}
	const url = URL.parse(config.url);
	const host = exactLine(url?.host ?? config.url);
	const isOwn = url !== null && own.has(url.hostname);
	const over = /^https:/i.test(config.url)
		? "over an encrypted connection (HTTPS)"
		: /^http:/i.test(config.url)
			? "over a connection that is not encrypted (HTTP): anybody on the network path can read and change all of it"
			: "at an address that is known only when it starts";
	const names = Object.keys(config.headers).map((name) => exactLine(name));
	const headers =
		names.length === 0
			? "no headers of your own"
			: `the ${names.length === 1 ? "header" : "headers"} ${names.join(", ")}`;
	return [
		isOwn
			? `MCP Host does not start a program for it. It connects to ${host}, where a program on this machine is already running.`
			: `It does not run on this machine. MCP Host connects to ${host} ${over}.`,
		`It receives the arguments of the calls that you allow, your read requests, and its roots (folders), each time with ${headers}.`,
		"Its results are shown to you, and sent to models that use its tools.",
		isOwn ? "Connect only if you trust that program." : `Connect only if you trust the operator of ${host}.`,
		last,
	];
}
