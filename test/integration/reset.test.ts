import { describe, expect, it } from "vitest";
import { storeOwners, type OwnerServices } from "../../src/surfaces/reset/owners.ts";
import { smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** Only the servers have something to release. */
const none: Omit<OwnerServices, "host"> = {
	grants: { all: [], revoke: async () => undefined },
	agents: { all: [], refresh: async () => undefined, revoke: async () => undefined },
	handOvers: { clear: () => undefined },
	forgetRunner: async () => undefined,
	forgetTemplates: async () => undefined,
	runs: { clear: () => undefined },
	tasks: { clear: () => undefined },
	trace: { clear: () => undefined },
	activity: { clear: () => undefined },
};

describe("Reset MCP Host (SEC-12)", () => {
	it("stops a server whose approval it deletes, and nothing restarts it without a request", async () => {
		await using host = new TestHost();
		await host.configure({ small: smallConfig("modern", host.path("small.log")) });
		const session = host.session("small");
		await host.host.approve(session.definition);
		await session.start();
		expect(session.state.kind).toBe("running");

		await storeOwners({ ...none, host: host.host })["approvals"]?.clear();
		expect(session.state.kind).toBe("needs-approval");
		expect(host.host.approvals.all.size).toBe(0);
		await host.host.startApproved();
		expect(session.state.kind).toBe("needs-approval");
	});
});
