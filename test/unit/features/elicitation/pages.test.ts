import { afterEach, describe, expect, it, vi } from "vitest";
import { formRequest, fakeSession, pageRequest, Scene } from "./scene.ts";

const modern = { mode: "url", message: "Sign in", url: pageRequest.url };
const visit = (completed = new AbortController()) => ({
	request: { mode: "visited", url: pageRequest.url, message: "Sign in", completed: completed.signal },
	completed,
});
const labels = ({ form }: Scene) => (form.state.actions ?? []).map(({ label }) => label);

afterEach(() => void vi.useRealTimers());

describe("a page", () => {
	it("opens only after consent, and exactly as shown (ELC-04, BLT-36)", async () => {
		const scene = new Scene();
		const answer = scene.ask(pageRequest);
		const { page, heading } = scene.form.document;
		expect(heading).toBe("travel (server) asks you to open a web page");
		expect(scene.opened).toEqual([]);
		await scene.form.submit();
		expect(await answer).toEqual({ action: "accept" });
		expect(scene.opened).toEqual(["https://example.com/sign-in?x=1"]);
		expect(page && page.before + page.host + page.after).toBe(scene.opened[0]);
	});

	it("shows the address at which the browser reaches it, and opens exactly that (ELC-04)", async () => {
		const scene = new Scene();
		const [href, address] = ["http://127.0.0.1:3000/pay?x=1", "https://tunnel-3000.example/pay?x=1"];
		scene.externalAddress = async () => address;
		const answer = scene.ask({ ...pageRequest, url: href });
		await expect.poll(() => scene.forms.length).toBe(1);
		const { page } = scene.form.document;
		expect(page && page.before + page.host + page.after).toBe(href);
		expect(page?.warnings.at(-1)).toBe(`This address is on the remote machine. Your browser reaches it at: ${address}`);
		await scene.form.act("copy-url");
		await scene.form.submit();
		expect(await answer).toEqual({ action: "accept" });
		expect([scene.copied, scene.opened]).toEqual([[address], [address]]);
	});

	it("is shown unchanged if the editor forwards nothing, or cannot", async () => {
		for (const external of [async (url: string) => url, () => Promise.reject(new Error("no tunnel"))]) {
			const scene = new Scene();
			scene.externalAddress = external;
			const answer = scene.ask({ ...pageRequest, url: "http://localhost:3000/" });
			await expect.poll(() => scene.forms.length).toBe(1);
			expect(scene.form.document.page?.warnings.join()).not.toContain("reaches");
			await scene.form.submit();
			expect(await answer).toEqual({ action: "accept" });
			expect(scene.opened).toEqual(["http://localhost:3000/"]);
		}
	});

	it("can be opened by hand from the clipboard; copying alone is no consent", async () => {
		const scene = new Scene();
		const answer = scene.ask(pageRequest);
		expect(labels(scene)).toEqual(["Copy URL"]);
		await scene.form.act("opened-by-hand");
		await scene.form.act("copy-url");
		expect([scene.copied, scene.form.decision.outcome]).toEqual([[pageRequest.url], undefined]);
		expect(labels(scene)).toEqual(["Copy URL", "I Opened It Myself"]);
		await scene.form.act("opened-by-hand");
		expect(await answer).toEqual({ action: "accept" });
		expect(scene.opened).toEqual([]);
	});

	it("counts as cancelled when it could not be opened", async () => {
		for (const open of [async () => false, () => Promise.reject(new Error("no browser"))]) {
			const scene = new Scene();
			scene.openExternal = open;
			const answer = scene.ask(pageRequest);
			await scene.form.submit();
			expect(await answer).toEqual({ action: "cancel" });
			expect(scene.waits).toEqual([]);
		}
	});
});

describe("the end of a visit", () => {
	async function openPage(scene: Scene): Promise<void> {
		const answer = scene.ask(pageRequest);
		await scene.form.submit();
		await answer;
	}

	it("is awaited until this server reports it for this page", async () => {
		const scene = new Scene();
		await openPage(scene);
		expect(scene.waits.map(({ title }) => title)).toEqual([
			"Waiting for travel to confirm that you are done at example.com",
		]);
		scene.service.onVisited(scene.session, "2");
		scene.service.onVisited(fakeSession("other"), "1");
		expect(scene.waits[0]?.over.aborted).toBe(false);
		scene.service.onVisited(scene.session, "1");
		expect(scene.waits[0]?.over.aborted).toBe(true);
		scene.service.onVisited(scene.session, "1");
	});

	it("is awaited from the opening of the page, not from the question, and for a limited time", async () => {
		vi.useFakeTimers();
		const scene = new Scene();
		const answer = scene.ask(pageRequest);
		vi.advanceTimersByTime(60 * 60_000);
		await scene.form.submit();
		await answer;
		expect(scene.waits).toHaveLength(1);
		vi.advanceTimersByTime(9 * 60_000);
		expect(scene.waits[0]?.over.aborted).toBe(false);
		vi.advanceTimersByTime(60_000);
		expect(scene.waits[0]?.over.aborted).toBe(true);
	});

	it("is not awaited when it was earlier, when nothing was opened, or without an id", async () => {
		const early = new Scene();
		early.openExternal = async () => {
			early.service.onVisited(early.session, "1");
			return true;
		};
		await openPage(early);
		const declined = new Scene();
		const answer = declined.ask(pageRequest);
		declined.form.decline();
		await answer;
		const nameless = new Scene();
		const other = nameless.ask(modern);
		await nameless.form.submit();
		await other;
		expect([early, declined, nameless].flatMap(({ waits }) => waits)).toEqual([]);
	});

	it("is no longer awaited when the server is gone (ELC-08)", async () => {
		const scene = new Scene();
		await openPage(scene);
		scene.controller.abort();
		expect(scene.waits[0]?.over.aborted).toBe(true);
	});
});

describe("a server that requires a page before it answers (error -32042)", () => {
	it("continues when the user reports that they are done, who may open the page again", async () => {
		const scene = new Scene();
		const opening = scene.ask(pageRequest, "tools/call x");
		await scene.form.submit();
		await opening;
		const answer = scene.ask(visit().request, "tools/call x");
		// The question replaces the silent wait.
		expect(scene.waits[0]?.over.aborted).toBe(true);
		expect(scene.form.document).toMatchObject({
			heading: "travel (server) is waiting until you are done at example.com",
			submitLabel: "Continue",
			canDecline: false,
			state: { preview: expect.stringContaining("sent to the server again") },
		});
		expect(labels(scene)).toEqual(["Open Again", "Copy URL"]);
		await scene.form.act("open-again");
		expect(scene.opened).toEqual([pageRequest.url, pageRequest.url]);
		await scene.form.submit();
		expect(await answer).toEqual({ action: "accept" });
	});

	it("continues automatically when it reports the end, and the form shows it", async () => {
		const scene = new Scene();
		const { request, completed } = visit();
		const answer = scene.ask(request);
		completed.abort();
		expect(await answer).toEqual({ action: "accept" });
		expect(scene.form.state.end).toBe("travel reports that this is done.");
	});

	it.each([["cancel"], ["close"], ["death"]])("gets no answer after %s", async (how) => {
		const scene = new Scene();
		const answer = scene.ask(visit().request);
		if (how === "cancel") scene.form.cancel();
		else if (how === "close") scene.form.decision.lapse("closed");
		else scene.controller.abort();
		expect(await answer).toEqual({ action: "cancel" });
	});
});

describe("a server that asks for the same page again during the same call (revision 2026-07-28)", () => {
	it("lets the user decide when to ask it again, and opens nothing automatically", async () => {
		const scene = new Scene();
		const call = scene.session.requestLog.begin("tools/call x", false);
		const first = scene.ask(modern, "tools/call x");
		await scene.form.submit();
		await first;
		const second = scene.ask(modern, "tools/call x");
		expect(scene.form.document).toMatchObject({ submitLabel: "Continue", canDecline: true });
		await scene.form.submit();
		expect(await second).toEqual({ action: "accept" });
		expect(scene.opened).toHaveLength(1);
		call.end();
		void scene.ask(modern, "tools/call x");
		expect(scene.form.document.submitLabel).toBe("Open in Browser");
	});

	it("does not accept another server's page for it", async () => {
		const scene = new Scene();
		scene.session.requestLog.begin("tools/call x", false);
		const first = scene.ask(modern, "tools/call x");
		await scene.form.submit();
		await first;
		void scene.ask(modern, "tools/call x", fakeSession("other"));
		expect(scene.form.document.submitLabel).toBe("Open in Browser");
		void scene.ask(formRequest);
	});
});
