import { withoutSecrets } from "../../base/secrets/judge.ts";
import { oneLine } from "../../base/text.ts";
import type { AllowedApp } from "../../features/apps/knownApps.ts";
import type { ListLine, RowWords } from "../../questions/listRow.ts";
import type { ModelInfo } from "../../models/model.ts";
import type { Asker } from "../../permissions/budgets/asker.ts";
import { readCatalog } from "../../permissions/catalog/catalog.ts";
import { isOfSampling } from "../../permissions/grants/grant.ts";
import type { Grants } from "../../permissions/grants/grants.ts";
import type { GrantScene } from "../../permissions/grants/grantStatus.ts";
import { type Listed, overview } from "../../permissions/overview.ts";
import type { RulesAndGrants } from "../../permissions/policy/policy.ts";
import type { ObservedRules } from "../../permissions/policy/rule.ts";
import { appUriOf } from "../../protocol/toolPage.ts";
import { serverOf } from "../../servers/approval/approvals.ts";
import type { ConfigProblem, ServerDefinition } from "../../servers/definitions/config.ts";
import type { McpHost } from "../../servers/host.ts";
import { describeState, stateWord } from "../../servers/sessions/describeState.ts";
import type { KnownClient } from "../bridge/consents.ts";
import type { MayRunLine, MayRunSection } from "./mayRunProtocol.ts";
import { momentOf } from "../../base/shownTime.ts";
import { chainWords, nameOf as clientName } from "../bridge/program.ts";

/** The rules and decisions, as the page reads them: the very functions that decide when something is to run. */
export interface MayRunFacts {
	readonly host: Pick<McpHost, "approvals" | "registry" | "whyNot">;
	readonly rules: ObservedRules;
	readonly grants: Grants;
	readonly scene: GrantScene;
	readonly policy: Pick<RulesAndGrants, "allowsAll" | "decide">;
	/** The models' usage by servers, the rest, and their limits. */
	readonly usage: readonly RowWords[];
	readonly models: readonly ModelInfo[];
	/** The apps that were allowed something outside their frames. */
	readonly apps: readonly AllowedApp[];
	/** The programs on this machine that the user decided about, and the folder that shortens their paths. */
	readonly agents: readonly KnownClient[];
	readonly home: string;
	/** Why a server may not use a model; undefined when it may. */
	readonly whyNoModel: (model: ModelInfo, asker: Asker) => string | undefined;
	/** The value of a setting of MCP Host that counts. */
	readonly setting: (name: string) => unknown;
	/** The policies of an organization, by setting or by part of the machine's file; and the servers that are left out. */
	readonly organization: readonly { readonly setting: string; readonly value: string }[];
	readonly problems: readonly ConfigProblem[];
	/** The text without the secrets that the host knows. */
	readonly redact: (text: string) => string;
}

/** The action of a button of the page. */
export type MayRunAction =
	| { readonly kind: "revoke-server"; readonly id: string; readonly name: string }
	| { readonly kind: "revoke-grant"; readonly id: string }
	| { readonly kind: "revoke-app"; readonly key: string }
	| { readonly kind: "revoke-agent"; readonly key: string }
	| { readonly kind: "open-rule"; readonly uri: string | undefined; readonly index: number | undefined }
	| { readonly kind: "setting"; readonly name: string };

/** The page, and what its buttons do by their keys. */
export interface MayRunPage {
	readonly sections: readonly MayRunSection[];
	readonly actions: ReadonlyMap<string, MayRunAction>;
}

/** Makes the page of what may run, and by whose decision. */
export function mayRunPage(facts: MayRunFacts): MayRunPage {
	const actions = new Map<string, MayRunAction>();
	const button = (action: MayRunAction, title: string): { readonly action: { key: string; title: string } } => {
		const key = JSON.stringify(action);
		actions.set(key, action);
		return { action: { key, title } };
	};
	const settingLine = (name: string, words: string, setting: string): MayRunLine => ({
		name,
		words,
		details: [setting],
		...button({ kind: "setting", name: setting }, "Open Setting"),
	});
	const made = { facts, button, settingLine };
	return {
		sections: [organization(made), servers(made), calls(made), apps(made), models(made), otherAgents(made)],
		actions,
	};
}

/** The inputs of a section. */
export interface Made {
	readonly facts: MayRunFacts;
	readonly button: (
		action: MayRunAction,
		title: string,
	) => { readonly action: { readonly key: string; readonly title: string } };
	/** A line about a setting, which its button opens. */
	readonly settingLine: (name: string, words: string, setting: string) => MayRunLine;
}

function servers({ facts, button, settingLine }: Made): MayRunSection {
	const { host, setting } = facts;
	const isAutomatic = setting("startApprovedServers") === true;
	const configured = host.registry.sessions.map(({ definition, state }): MayRunLine => {
		const { id, name, origin } = definition;
		const refused = host.whyNot(definition);
		const approval = host.approvals.of(definition);
		const isStarted = isAutomatic && approval?.isAutomatic !== false;
		const starts = isStarted ? "starts when a window opens" : "starts when you start it";
		const isDemo = origin.kind === "demo";
		return {
			name: nameOf(name),
			words:
				refused === undefined
					? `may start · ${starts} · ${stateWord(state)}`
					: `may not start: ${describeState(refused)}`,
			details: [
				reached(definition, facts.redact),
				`configured in ${oneLine(origin.label, 100)}`,
				isDemo
					? "part of MCP Host, needs no approval"
					: approval === undefined
						? "not approved"
						: approvedAt(approval.at),
			],
			...(approval === undefined || isDemo ? {} : button({ kind: "revoke-server", id, name }, "Revoke…")),
		};
	});
	const known = new Set(host.registry.sessions.map(({ definition }) => definition.id));
	const elsewhere = new Map([...host.approvals.all].map(([placed, approval]) => [serverOf(placed), approval] as const));
	const others = [...elsewhere]
		.filter(([id]) => !known.has(id))
		.map(([id, { at }]): MayRunLine => ({
			name: nameOf(id),
			words: "approved, not configured in this window",
			details: [approvedAt(at)],
			action: button({ kind: "revoke-server", id, name: id }, "Revoke…").action,
		}));
	const automatic = settingLine("Automatic start", isAutomatic ? "on" : "off", "mcpHost.startApprovedServers");
	return {
		title: "Servers",
		note: "A server starts only after you approved its definition. A changed definition asks again.",
		lines: [...configured, ...others, automatic],
		none: "No server is configured.",
	};
}

function calls({ facts, button }: Made): MayRunSection {
	const { rules, grants, scene, policy, host } = facts;
	const own = (rules.lists ?? []).filter(({ place }) => place.kind !== "organization");
	const ofCalls = grants.all.filter((grant) => !isOfSampling(grant));
	const listed = linesOf(overview(own, ofCalls, scene), button);
	const free = readCatalog(host.registry).entries.filter((entry) => policy.allowsAll(entry));
	const unasked = free.map((entry): MayRunLine => ({
		name: `${oneLine(entry.tool.name, 100)} of ${nameOf(entry.session.definition.name)}`,
		words: "runs without a question, whatever its arguments",
		details: [policy.decide(entry, {}).by.label],
	}));
	return {
		title: "Tool Calls",
		note: "Every other call asks you. The strictest of rules and grants counts. Tools are listed for servers that run.",
		lines: [...unasked, ...listed],
		none: "There are no rules and no grants: you are asked about every call.",
	};
}

/** The lines of the list of rules and grants, each with its heading. */
function linesOf(lines: readonly ListLine<Listed>[], button: Made["button"]): readonly MayRunLine[] {
	let heading = "";
	return lines.flatMap((line): readonly MayRunLine[] => {
		if (line.kind === "heading") {
			heading = line.label;
			return [];
		}
		const { label, description = "", detail = "", of } = line;
		const from = of?.kind === "grant" ? "your grant" : heading;
		const details = [from, ...(detail === "" || detail === label ? [] : [detail])];
		return [{ name: label, words: description, details, ...(of === undefined ? {} : actionOf(of, button)) }];
	});
}

function actionOf(of: Listed, button: Made["button"]): ReturnType<Made["button"]> {
	return of.kind === "grant"
		? button({ kind: "revoke-grant", id: of.grant.id }, "Revoke")
		: button({ kind: "open-rule", uri: of.list.place.uri, index: of.index }, "Open Rule");
}

/** The values of the setting `mcpHost.apps` in words. */
const appsWords: Readonly<Record<string, string>> = {
	off: "never",
	onRequest: "only with Open App",
	firstTime: "automatically, the first time in a window",
	always: "automatically",
};

function apps({ facts, button, settingLine }: Made): MayRunSection {
	const { host, setting } = facts;
	const shown = String(setting("apps"));
	const withApps = host.registry.sessions.flatMap(({ definition, tools }): MayRunLine[] => {
		const pages = new Set(tools.items.flatMap((tool) => appUriOf(tool) ?? []));
		if (pages.size === 0 || shown === "off") return [];
		const details = [...pages].map((page) => oneLine(page, 200));
		return [{ name: nameOf(definition.name), words: pages.size === 1 ? "1 app" : `${pages.size} apps`, details }];
	});
	const allowed = facts.apps.map(({ key, server, page, domains, clipboard }): MayRunLine => ({
		name: `App of ${nameOf(server)}`,
		words: [
			...(domains.length === 0 ? [] : [`may reach ${domains.map((domain) => oneLine(domain, 100)).join(", ")}`]),
			...(clipboard ? ["may write to the clipboard"] : []),
		].join(" · "),
		details: [oneLine(page, 200)],
		...button({ kind: "revoke-app", key }, "Revoke"),
	}));
	const denied = setting("deniedAppDomains");
	return {
		title: "Apps",
		note: "An app is a page of a server in a frame of its own. It asks before it reaches a domain, and its tool calls follow the rules above.",
		lines: [
			...withApps,
			...allowed,
			settingLine("Apps are shown", appsWords[shown] ?? shown, "mcpHost.apps"),
			...(Array.isArray(denied) && denied.length > 0
				? [settingLine("Domains that no app reaches", oneLine(denied.join(", "), 300), "mcpHost.deniedAppDomains")]
				: []),
		],
		none: "",
	};
}

function models({ facts, button, settingLine }: Made): MayRunSection {
	const { grants, scene, usage, models: all, whyNoModel, host } = facts;
	const rules = linesOf(overview([], grants.all.filter(isOfSampling), scene), button);
	const allowed = host.registry.sessions.map(({ definition }): MayRunLine => {
		const { id, name } = definition;
		const asker: Asker = { id, name, definition, during: undefined, isForUser: false };
		const usable = all.filter((model) => whyNoModel(model, asker) === undefined);
		return {
			name: nameOf(name),
			words: `may ask for ${usable.length} of ${all.length} models`,
			details: usable.slice(0, 20).map((model) => `${oneLine(model.name, 60)} · ${oneLine(model.provider, 80)}`),
		};
	});
	const used = usage.map(({ label, description, detail }): MayRunLine => ({
		name: label,
		words: detail,
		details: description === "" ? [] : [description],
	}));
	return {
		title: "Models",
		note: "Without a rule, you review every sampling request before a model sees it, and the answer before the server gets it.",
		lines: [
			...rules,
			...allowed,
			...used,
			settingLine("Models that servers may ask for", "", "mcpHost.sampling.models"),
		],
		none: "",
	};
}

function organization({ facts }: Made): MayRunSection {
	const managed = (facts.rules.lists ?? []).filter(({ place }) => place.kind === "organization");
	const rules = overview(managed, [], facts.scene).flatMap((line): MayRunLine[] =>
		line.kind === "heading"
			? []
			: [{ name: line.label, words: line.description ?? "", details: ["set by your organization"] }],
	);
	const left = facts.problems.filter(({ isByPolicy }) => isByPolicy === true);
	return {
		title: "Organization",
		note: "Your organization decides first, by policies of VS Code and by a file on this machine. You cannot change this here.",
		lines: [
			...facts.organization.map(({ setting, value }) => ({
				name: setting,
				words: oneLine(value, 400),
				details: ["set by your organization"],
			})),
			...rules,
			...left.map(({ server, origin, message }) => ({
				name: nameOf(server ?? origin.label),
				words: oneLine(message, 400),
				details: [`configured in ${oneLine(origin.label, 100)}`],
			})),
		],
		none: "No policy of an organization applies.",
	};
}

/** The command line or the URL as configured, without what may be a secret. */
function reached({ config }: ServerDefinition, redact: (text: string) => string): string {
	const shown = (text: string): string => withoutSecrets("", redact(text), "entry", () => "(masked)");
	if (config.kind !== "stdio") return oneLine(shown(config.url), 300);
	const words = [config.command, ...config.args].map(shown);
	return oneLine(words.map((word) => (/\s|^$/.test(word) ? JSON.stringify(word) : word)).join(" "), 300);
}

function nameOf(name: string): string {
	return oneLine(name, 100);
}

function approvedAt(at: string): string {
	return `approved by you on ${momentOf(Date.parse(at))}`;
}

/** The page as Markdown of plain texts, to be kept or sent. */
export function mayRunText(sections: readonly MayRunSection[], plain: (text: string) => string): string {
	const lineOf = ({ name, words, details }: MayRunLine): string =>
		`- **${plain(name)}**: ${[words, ...details]
			.filter((one) => one !== "")
			.map(plain)
			.join(" · ")}`;
	return [
		"# What May Run",
		...sections.flatMap(({ title, note, lines, none }) => [
			`## ${title}`,
			note,
			lines.length === 0 ? none : lines.map(lineOf).join("\n"),
		]),
		"",
	].join("\n\n");
}

/** The section about agents that are not ours: those of VS Code, and programs on this machine. */
function otherAgents({ facts, button, settingLine }: Made): MayRunSection {
	const agents = facts.agents.map((agent): MayRunLine => ({
		name: clientName(agent),
		words: agent.isAllowed ? "may use servers of windows that share them" : "may not use your servers",
		details: [chainWords(agent, facts.home), `decided by you on ${new Date(agent.at).toLocaleString()}`],
		...button({ kind: "revoke-agent", key: agent.key }, "Revoke"),
	}));
	const inEditor = facts.setting("chat.otherAgents") !== false;
	const isShared = facts.setting("shareServers") === true;
	const port = Number(facts.setting("shareServersPort") ?? 0);
	return {
		title: "Other Agents",
		note: "Agents of other extensions, and programs on this machine that you allowed, can call tools. Their calls follow the same rules.",
		lines: [
			settingLine("Tools for other agents", inEditor ? "on" : "off", "mcpHost.chat.otherAgents"),
			settingLine("Servers for other programs", isShared ? "on" : "off", "mcpHost.shareServers"),
			settingLine("Port for clients with a key", port === 0 ? "off" : String(port), "mcpHost.shareServersPort"),
			...agents,
		],
		none: "",
	};
}
