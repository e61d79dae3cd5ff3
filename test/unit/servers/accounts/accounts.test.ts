import { describe, expect, test } from "vitest";
import { describeSignedIn } from "../../../../src/servers/sessions/connectionWords.ts";
import { Accounts } from "../../../../src/servers/accounts/accounts.ts";
import type { SignedIn } from "../../../../src/protocol/authorization.ts";
import { Emitter } from "../../../../src/base/event.ts";
import { ServersTree } from "../../../../src/surfaces/tree/tree.ts";
import type { TreeNode } from "../../../../src/surfaces/tree/nodes.ts";
import { tooltipOf } from "../../../../src/surfaces/tree/tooltip.ts";
import { viewOf } from "../../../../src/surfaces/tree/view.ts";
import { FakeDirectory, FakeSession } from "../../features/resources/fakeSession.ts";

describe("accounts", () => {
	const ann: SignedIn = { issuer: "https://auth.example/tenant", account: "ann@example.com", scopes: ["a"] };

	test("show the signed-in account, and when that changes", () => {
		const accounts = new Accounts();
		const changes: string[] = [];
		accounts.onDidChange((id) => changes.push(id));
		accounts.set("one", ann);
		accounts.set("one", { ...ann });
		accounts.set("two", undefined);
		expect(accounts.get("one")).toEqual(ann);
		accounts.set("one", undefined);
		expect(accounts.get("one")).toBeUndefined();
		expect(changes).toEqual(["one", "one"]);
	});

	test("from the store count unless a newer one was first", async () => {
		const accounts = new Accounts();
		await accounts.restore("one", Promise.resolve(ann));
		expect(accounts.get("one")).toEqual(ann);
		// The definition has another address now, without a sign-in.
		await accounts.restore("one", Promise.resolve(undefined));
		expect(accounts.get("one")).toBeUndefined();

		const slow = Promise.withResolvers<SignedIn | undefined>();
		const restoring = accounts.restore("two", slow.promise);
		const bob = { ...ann, account: "bob@example.com" };
		accounts.set("two", bob);
		accounts.set("two", undefined);
		slow.resolve(ann);
		await restoring;
		expect(accounts.get("two")).toBeUndefined();
	});

	test("are described in one line without hidden characters of a server", () => {
		expect(describeSignedIn(ann)).toBe("as ann@example.com at auth.example");
		expect(describeSignedIn({ ...ann, account: undefined })).toBe("at auth.example");
		expect(describeSignedIn({ ...ann, account: "a\u202E\nb" })).toBe(String.raw`as a\u202E b at auth.example`);
	});

	test("are shown in the row of their server, which follows them", async () => {
		const accounts = new Accounts();
		const travel = new FakeSession("travel");
		const roots = { of: () => [], remark: () => undefined, onDidChange: new Emitter<void>().event };
		const tree = new ServersTree({ directory: new FakeDirectory(travel), roots, accounts });
		await travel.run({});
		const [row] = tree.children();
		if (row === undefined) throw new Error("The server has no row.");
		const view = (): ReturnType<typeof viewOf> => viewOf(row, (group) => tree.count(group));
		const refreshed = new Promise<readonly TreeNode[] | undefined>((resolve) => {
			tree.onDidChange((nodes) => {
				if (accounts.get(travel.definition.id) !== undefined) resolve(nodes);
			});
		});
		expect(view().context).toBe("server-running of-user");

		accounts.set(travel.definition.id, { ...ann, scopes: ["a", "b"] });
		expect(view().context).toBe("server-running of-user signed-in");
		expect(view().spoken).toContain("running, ann@example.com");
		const text = tooltipOf(row)?.replaceAll("\\", "");
		expect(text).toContain("Signed in: as ann@example.com at auth.example");
		expect(text).toContain("Scopes: a, b");
		expect(await refreshed).toContain(row);

		accounts.set(travel.definition.id, undefined);
		expect(view().context).toBe("server-running of-user");
		expect(tooltipOf(row)).not.toContain("Signed in");
		tree.dispose();
	});
});
