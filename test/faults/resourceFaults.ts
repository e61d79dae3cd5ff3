import assert from "node:assert/strict";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { faultUri, modern } from "./book.ts";
import {
	everyCarrier,
	refuses,
	settles,
	works,
	type CalledMethod,
	type Expectation,
	type Fault,
	type Misbehaviour,
	type Turn,
} from "./fault.ts";
import { eventOf } from "./httpServer.ts";
import { textOf } from "./peer.ts";

/** A fault in both eras, which check answers in different ways. In the modern one only at moments with a request. */
export function inBothEras(fault: Misbehaviour): readonly Misbehaviour[] {
	const inModern: Misbehaviour = {
		...fault,
		title: `${fault.title}, in the modern era`,
		revision: modern,
		protocol: "modern",
		carriers: ["stdio", "http"],
		phases: fault.phases.filter((phase) => phase !== "idle"),
		act: (turn) => fault.act(marked(turn)),
	};
	const { later } = fault;
	return [fault, later === undefined ? inModern : { ...inModern, later: (turn) => later(marked(turn)) }];
}

/** A round whose results have the members that revision 2026-07-28 requires. */
function marked(turn: Turn): Turn {
	const marks = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
	return {
		...turn,
		tell(message) {
			const { result } = message;
			turn.tell(isJsonObject(result) ? { ...message, result: { ...marks, ...result } } : message);
		},
	};
}

/** A result that replaces the correct one in every call of one kind. */
export function resultFault(
	row: string,
	title: string,
	calls: CalledMethod,
	result: Json | ((turn: Turn) => Json),
	host: Expectation,
): readonly Misbehaviour[] {
	return inBothEras({
		row,
		title,
		phases: ["call"],
		carriers: everyCarrier,
		calls,
		act(turn) {
			tellResult(turn, typeof result === "function" ? result(turn) : result);
		},
		host,
	});
}

function tellResult(turn: Turn, result: Json): void {
	turn.tell({ id: turn.request?.id ?? "", result });
	turn.http?.response.end();
}

/** The lists beside that of the tools, by the name of the session's member. */
const lists = {
	resources: { method: "resources/list", member: "resources", changed: "notifications/resources/list_changed" },
	resourceTemplates: {
		method: "resources/templates/list",
		member: "resourceTemplates",
		changed: "notifications/resources/list_changed",
	},
	prompts: { method: "prompts/list", member: "prompts", changed: "notifications/prompts/list_changed" },
} as const;

/** Items of a list that break the protocol: of the first reading, or of one that an idle server requests. */
export function itemsFault(
	row: string,
	title: string,
	list: keyof typeof lists,
	items: readonly Json[],
	/** How many of the items can be shown. */
	fit: number,
): readonly Misbehaviour[] {
	const { method, member, changed } = lists[list];
	const reply = (turn: Turn): true => {
		tellResult(turn, { [member]: [...items] });
		return true;
	};
	return inBothEras({
		row,
		title,
		phases: ["handshake", "idle"],
		carriers: everyCarrier,
		strikes: method,
		act: (turn) => void (turn.request === undefined ? turn.tell({ method: changed }) : reply(turn)),
		later: (turn) => turn.request?.method === method && reply(turn),
		host: works,
		check: (stage) =>
			stage.until(
				() => stage.session[list].status.kind === "ready" && stage.session[list].items.length === fit,
				`${fit} ${list} are listed, the others left out (now ${stage.session[list].items.length})`,
				10_000,
			),
	});
}

const read = (title: string, row: string, contents: Json, host: Expectation): readonly Misbehaviour[] =>
	resultFault(row, title, "resources/read", { contents }, host);

/** The words of a result that breaks the protocol: its server and its violation, without a dump of a validator. */
const brokenResult = /(?=.*resources\/read)^(?!.*"code":)/s;

const text = (uri: string): JsonObject => ({ uri, mimeType: "text/plain", text: "one" });

/** Sends one notification many times at once, and then the correct answer if one is expected. */
function flood(count: number, params: (index: number) => JsonObject): (turn: Turn) => void {
	return (turn) => {
		const texts = Array.from({ length: count }, (_, index) =>
			textOf({ method: "notifications/resources/updated", params: params(index) }),
		);
		turn.raw(texts.map((one) => (turn.carrier === "stdio" ? `${one}\n` : eventOf(one))).join(""));
		turn.answer();
	};
}

/** Faults of the lists, contents and updates of resources and of templates. */
export const resourceFaults: readonly Fault[] = [
	...read("a content of another URI", "RES-04", [text("fault://elsewhere")], works),
	...read(
		"contents of a child and of another server's URI",
		"RES-04",
		[text(`${faultUri}/child`), text("file:///etc/passwd")],
		works,
	),
	...read("a content whose URI differs in the case of letters", "RES-04", [text("FAULT://ONE")], works),
	...read(
		"a picture that is a page",
		"RES-05",
		[{ uri: faultUri, mimeType: "image/png", blob: "PHNjcmlwdD4=" }],
		works,
	),
	...read(
		"a MIME type of a megabyte",
		"RES-05",
		[{ ...text(faultUri), mimeType: `text/${"x".repeat(1_000_000)}` }],
		settles,
	),
	...read(
		"bytes that are no base64",
		"RES-06",
		[{ uri: faultUri, blob: "this is *not* base64!" }],
		refuses(brokenResult, "protocol"),
	),
	...resultFault(
		"RES-06",
		"bytes beyond the limit",
		"resources/read",
		() => ({ contents: [{ uri: faultUri, blob: "AAAA".repeat(1_500_000) }] }),
		refuses(/large|limit|MB|exceed/i, "limit"),
	),
	...read("no contents", "RES-07", [], works),
	...read(
		"a content with neither text nor bytes",
		"RES-07",
		[{ uri: faultUri, mimeType: "text/plain" }],
		refuses(brokenResult, "protocol"),
	),
	...read("a content without a URI", "RES-07", [{ text: "one" }], refuses(brokenResult, "protocol")),
	...read("contents that are no list", "RES-07", text(faultUri), works),
	...read("a text that is a number", "RES-07", [{ uri: faultUri, text: 7 }], refuses(brokenResult, "protocol")),
	...resultFault("RES-07", "nothing at all", "resources/read", {}, refuses(brokenResult, "protocol")),
	...itemsFault(
		"RES-08",
		"resources with names that pretend",
		"resources",
		[
			{ uri: "fault://1", name: "invoice\u202Efdp.exe" },
			{ uri: "fault://2", name: "$(verified) Verified\nby VS Code", title: "\u001B[31mred" },
			{ uri: "fault://3", name: "n".repeat(100_000), description: "[x](command:quit) ![](http://canary.example)" },
		],
		3,
	),
	...itemsFault(
		"RES-08",
		"resources that break the protocol among good ones",
		"resources",
		[
			{ uri: "fault://good", name: "good" },
			{ uri: 7, name: "a number for a URI" },
			{ name: "no URI" },
			{ uri: "fault://no-name" },
			{ uri: "fault://size", name: "size", size: "big" },
			{ uri: "fault://annotations", name: "annotations", annotations: { priority: 7, lastModified: "yesterday" } },
			null,
			"text",
		],
		1,
	),
	...itemsFault(
		"RES-09",
		"URIs that are commands and scripts",
		"resources",
		["command:workbench.action.quit", "vscode://x/y", "javascript:alert(1)", "data:text/html,<script>", " \n", "%"].map(
			(uri) => ({ uri, name: uri }),
		),
		6,
	),
	...itemsFault(
		"RES-04",
		"the same URI a thousand times",
		"resources",
		Array.from({ length: 1000 }, (_, index) => ({ uri: faultUri, name: `name ${index}` })),
		1,
	),
	...itemsFault(
		"RES-12",
		"templates that are none among good ones",
		"resourceTemplates",
		[
			{ uriTemplate: "fault://{id}", name: "good" },
			{ uriTemplate: "broken://{unclosed", name: "listed, but not to be filled in" },
			{ uriTemplate: `nested://${"{".repeat(10_000)}`, name: "ten thousand braces" },
			{ uriTemplate: 7, name: "a number" },
			{ name: "none" },
		],
		3,
	),
	{
		row: "RES-10",
		title: "a hundred subscriptions taken and given back",
		phases: ["call"],
		carriers: ["stdio", "http"],
		async run(stage) {
			await stage.run();
			await stage.until(() => stage.session.resources.status.kind === "ready", "the resources were listed");
			for (let round = 0; round < 100; round++) {
				const first = stage.session.subscribe(faultUri);
				const second = stage.session.subscribe(faultUri);
				first.dispose();
				second.dispose();
				second.dispose();
			}
			await stage.callsWork("echo");
			const taken = (): number => stage.requests("resources/subscribe");
			await stage.until(
				() => taken() === stage.requests("resources/unsubscribe"),
				"as many subscriptions were given back as were taken",
				10_000,
			);
			assert.ok(taken() <= 100, `subscribed ${taken()} times`);
		},
	},
	{
		row: "RES-11",
		title: "ten thousand updates of a watched resource",
		phases: ["idle"],
		carriers: ["stdio"],
		act: flood(10_000, () => ({ uri: faultUri })),
		async run(stage) {
			await stage.run();
			await stage.until(() => stage.session.tools.status.kind === "ready", "the tools were listed");
			let told = 0;
			stage.session.onDidUpdateResource(() => void told++);
			stage.session.subscribe(faultUri);
			await stage.until(() => stage.requests("resources/subscribe") === 1, "the resource is watched");
			await stage.strikeIdle();
			await stage.until(() => told > 0, "the update was told");
			await stage.callsWork("echo");
			assert.equal(stage.requests("resources/read"), 0, "the session read the resource by itself");
		},
	},
	{
		row: "RES-11",
		title: "updates of thousands of unwatched resources",
		phases: ["idle", "call"],
		carriers: everyCarrier,
		act: flood(10_000, (index) => ({ uri: `fault://${index}/${"x".repeat(100)}` })),
		host: works,
		check: (stage) => assert.equal(stage.requests("resources/read"), 0, "a resource was read that nobody watches"),
	},
	{
		row: "RES-11",
		title: "updates without a valid URI",
		phases: ["idle", "call"],
		carriers: everyCarrier,
		act(turn) {
			for (const params of [{}, { uri: 7 }, { uri: null }, { uri: "u".repeat(1_000_000) }, { uri: "\r\n\u0000" }]) {
				turn.tell({ method: "notifications/resources/updated", params });
			}
			turn.send('{"jsonrpc":"2.0","method":"notifications/resources/updated"}');
			turn.answer();
		},
		host: works,
	},
	{
		row: "RES-10",
		title: "a subscription that is refused",
		phases: ["call"],
		carriers: ["stdio", "http"],
		strikes: "resources/subscribe",
		act(turn) {
			turn.tell({ id: turn.request?.id ?? "", error: { code: -32603, message: "No more room for subscribers" } });
			turn.http?.response.end();
		},
		async run(stage) {
			await stage.run();
			const subscription = stage.session.subscribe(faultUri);
			await stage.until(() => stage.strikes > 0, "the subscription was refused");
			const said = (): boolean => stage.testHost.log.some((line) => line.includes("No more room"));
			await stage.until(said, "the log says that the subscription failed");
			subscription.dispose();
			await stage.callsWork("echo");
			assert.equal(stage.requests("resources/unsubscribe"), 0, "what was refused was given back");
		},
	},
];
