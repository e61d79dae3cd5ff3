/** Results of tools of real servers of both eras: the model's text, and the rest that it can read. */
import { describe, expect, it } from "vitest";
import type { ChatPart } from "../../src/surfaces/chat/parts.ts";
import type { TurnEvent } from "../../src/surfaces/chat/turnEvents.ts";
import { TurnView } from "../../src/surfaces/chat/turnView.ts";
import { RunningCalls } from "../../src/features/tools/runningCall.ts";
import { FinishedCalls } from "../../src/features/tools/results/finishedCalls.ts";
import { KeptResults, readingLimits, ResultReading } from "../../src/features/tools/results/resultReading.ts";
import { resultTools } from "../../src/features/agentTools/resultTools.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { lastLogLine } from "../servers/resultTools.ts";
import { boxOf, play, type ScriptedModel, type Step } from "../unit/surfaces/chat/scripted.ts";
import { User } from "../unit/features/tools/toolSession.ts";
import { resultConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** A host with the running server, and turns over it. */
class Stage implements AsyncDisposable {
	readonly host = new TestHost();
	readonly user = new User({ kind: "allow" });
	readonly events: TurnEvent[] = [];
	readonly kept = new KeptResults();
	readonly finished = new FinishedCalls();

	static async open(era: "legacy" | "modern"): Promise<Stage> {
		const stage = new Stage();
		const session = await stage.host.run("results", resultConfig(era, stage.log));
		await expect.poll(() => [session.tools.items.length > 0, session.resources.items.length > 0]).toEqual([true, true]);
		return stage;
	}

	/** Plays a turn in which the model calls these, one after the other. */
	async turn(...calls: readonly (readonly [string, object?])[]): Promise<ScriptedModel> {
		const steps: readonly Step[] = [
			...calls.map(([name, args]) => ({ calls: [{ name, arguments: args ?? {} }] })),
			{ text: "ok" },
		];
		const directory = this.host.host.registry;
		const reading = new ResultReading(this.kept, readingLimits({ maxInputTokens: 20_000, supportsTools: true }));
		const box = boxOf(directory);
		const tools = () =>
			resultTools(reading, { sessions: box.sessions, isLinked: (...link) => this.finished.isLinked(...link) });
		const { model } = await play(steps, [], this.user, {
			box: {
				isLazy: false,
				sessions: box.sessions,
				get offered() {
					return [...box.offered, ...tools().map(({ tool }) => tool)];
				},
				find(name) {
					const hostTool = tools().find(({ tool }) => tool.name === name);
					return hostTool === undefined ? box.find(name) : { hostTool };
				},
			},
			reading,
			onEvent: (event) => {
				this.events.push(event);
				if (event.type !== "finished" || event.entry === undefined || event.outcome.kind !== "done") return;
				this.finished.add({ entry: event.entry, outcome: event.outcome }, "chat");
			},
		});
		return model;
	}

	/** The text that a user reads in the chat so far: ours, without links. */
	get shown(): string {
		const shown: ChatPart[] = [];
		const nothing = (): void => undefined;
		const stage = {
			modelText: nothing,
			parts: (parts: readonly ChatPart[]) => void shown.push(...parts),
			progress: nothing,
		};
		const view = new TurnView(stage, new FinishedCalls(), new RunningCalls());
		for (const event of this.events) view.show(event);
		const markdown = shown.map((part) => (part.kind === "text" ? part.markdown : "")).join("");
		return markdown.replace(/\\([!-/:-@[-`{-~])/g, "$1");
	}

	/** The messages of one method that the server received. */
	received(method: string): readonly unknown[] {
		return messagesOf(readReceived(this.log), method).map(({ params }) => params);
	}

	get log(): string {
		return this.host.path("results.log");
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.host[Symbol.asyncDispose]();
	}
}

describe.each(["legacy", "modern"] as const)("results of a server of the %s era", (era) => {
	it("reach the model in the right form: data replaces the words that repeat them", async () => {
		await using stage = await Stage.open(era);
		const model = await stage.turn(["results_flights"], ["results_picture"], ["results_whispers"], ["results_failing"]);
		const [flights] = model.results(1);
		expect(JSON.parse(flights ?? "")).toMatchObject({ currency: "EUR", flights: [{ number: "VY 6001" }, {}, {}] });
		expect(model.results(2)).toEqual(["The view from the hotel\nimage\naudio"]);
		expect(model.results(3).join()).toMatch(/^\(Part .* user only.*\)\nBetween us models\nFor all$/);
		expect(model.requests[4]?.messages.at(-1)?.content).toMatchObject([{ isError: true }]);
	});

	it("that break the output schema reach user and model, with the violation (TOL-14, BLT-39)", async () => {
		await using stage = await Stage.open(era);
		const model = await stage.turn(["results_broken"], ["results_silent"], ["results_failing"]);
		const [broken] = model.results(1);
		expect(broken).toMatch(/- structuredContent\/flights: Must be a list, but is/);
		expect(broken).toMatch(/currency: Must be text/);
		expect(broken).toContain("Three flights found");
		expect(broken).toContain('{"flights":"three","currency":978}');
		expect(model.results(2)).toEqual([expect.stringMatching(/no structured content.*\n.*\nNo data today/s)]);
		expect(model.results(3)).toEqual(["No rooms left on this date."]);
		const outcomes = stage.events.flatMap((event) => (event.type === "finished" ? [event.outcome] : []));
		expect(outcomes.map((outcome) => outcome.kind === "done" && outcome.result.problems.length)).toEqual([2, 1, 0]);
		expect(stage.shown).toContain("⚠ The result does not match the tool's output schema. The model was informed.");
		expect(stage.shown).toMatch(/- structuredContent\/flights: Must be a list, but is/);
		expect(stage.shown).toContain("Three flights found");
		expect(stage.shown).toMatch(/⚠ the tool reported an error after .*\n\n> No rooms left/);
	});

	it("with unknown blocks lose none of the others (TOL-13)", async () => {
		await using stage = await Stage.open(era);
		const model = await stage.turn(["results_odd"]);
		expect(model.results(1).join()).toMatch(/hologram.*\nand words\n.*does not understand/s);
		expect(stage.shown).toContain("and words");
	});

	it("that are long are shortened, and can be read to the very end (TOL-15)", async () => {
		await using stage = await Stage.open(era);
		const first = await stage.turn(["results_log"]);
		const [told = ""] = first.results(1);
		expect(told.length).toBeLessThan(5000);
		expect(told).toContain("The whole result is 45,001 lines of text.");
		const [, id = "", offset = ""] = /"id": "([^"]+)", "offset": (\d+)/.exec(told) ?? [];
		expect(first.requests[0]?.options.tools?.map(({ name }) => name)).not.toContain("read_result");
		expect(first.requests[1]?.options.tools?.map(({ name }) => name)).toContain("read_result");
		// A later turn of the same chat finds it as well.
		const model = await stage.turn(
			["read_result", { id, offset: Number(offset), length: 500 }],
			["read_result", { id, find: "reactor" }],
			["read_result", { id, line: 45_001 }],
			["read_result", { id: "gone" }],
		);
		expect(model.results(1).join()).toMatch(/^\(Characters 4,000 to 4,500 of/);
		expect(model.results(2).join()).toContain(lastLogLine);
		expect(model.results(3).join()).toMatch(new RegExp(`This is the end.\\)\\n${lastLogLine}$`));
		expect(model.results(4).join()).toContain("has been deleted");
		expect(stage.received("tools/call")).toHaveLength(1);
		expect(stage.user.asked).toHaveLength(1);
		expect(stage.shown).toMatch(/long: 3\.9 KB of 2\.\d MB were sent to the model, which can request more/);
		expect(stage.shown).toContain('Searched an earlier result for "reactor": found 1 time');
		expect(stage.shown.length).toBeLessThan(5000);
	});

	it("with 500 parts and 200 images are limited for the model (TOL-15)", async () => {
		await using stage = await Stage.open(era);
		const model = await stage.turn(["results_crowd"]);
		const [result] = model.requests[1]?.messages.at(-1)?.content ?? [];
		const content = result?.type === "tool-result" ? result.content : [];
		expect(content.filter(({ type }) => type === "image")).toHaveLength(8);
		expect(JSON.stringify(content).length).toBeLessThan(60_000);
	});
});

describe("a model that reads resources", () => {
	it("asks the user as for every call, and reads from that server only", async () => {
		await using stage = await Stage.open("modern");
		const model = await stage.turn(
			["list_resources"],
			["read_resource", { server: "results", uri: "trips://barcelona" }],
		);
		expect(model.results(1).join()).toContain('"uri":"trips://barcelona"');
		expect(model.results(2)).toEqual(["Resource trips://barcelona:\nThe contents of trips://barcelona"]);
		expect(stage.user.asked.map(({ call }) => [call.entry.tool.name, call.arguments])).toEqual([
			["resources/read", { uri: "trips://barcelona" }],
		]);
		expect(stage.received("resources/read")).toMatchObject([{ uri: "trips://barcelona" }]);
	});

	it("reads nothing that the user denies, and nothing that is not the server's (TOL-17)", async () => {
		await using stage = await Stage.open("legacy");
		const denied = new User({ kind: "deny" });
		Object.assign(stage, { user: denied });
		const read = (uri: string) => ["read_resource", { server: "results", uri }] as const;
		const model = await stage.turn(read("trips://barcelona"), read("file:///etc/passwd"), read("trips://unlisted"));
		expect(model.results(1).join()).toContain("denied");
		expect(model.results(2).join()).toContain("does not list the resource file:///etc/passwd");
		expect(model.results(3).join()).toContain("does not list the resource trips://unlisted");
		expect(denied.asked).toHaveLength(1);
		expect(stage.received("resources/read")).toEqual([]);
	});

	it("may read a linked resource of a result, and a file: address never touches the disk", async () => {
		await using stage = await Stage.open("modern");
		const read = (uri: string) => ["read_resource", { server: "results", uri }] as const;
		const model = await stage.turn(["results_linked"], read("trips://unlisted"), read("file:///etc/hostname"));
		expect(model.results(2).join()).toContain("The contents of trips://unlisted");
		expect(model.results(3)).toEqual(["Resource file:///etc/hostname:\nThe contents of file:///etc/hostname"]);
	});
});
