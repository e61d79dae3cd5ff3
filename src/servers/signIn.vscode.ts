import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { askModal, commandsOf, showInformation } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../base/words.ts";
import { describeAccount } from "./accounts/accounts.ts";
import type { McpHost } from "./host.ts";
import { pickServer } from "./pick.vscode.ts";
import type { Session, SessionState } from "./sessions/session.ts";
import { describeSignedIn, signOutQuestion } from "./sessions/connectionWords.ts";

/** The commands that sign in and out at servers. */
export function authorizationCommands(host: McpHost) {
	const { accounts } = host.signIns;
	const signOutOfProvider = async (): Promise<void> => (await host.identity.get()).signOut();
	const isRemote = (_state: SessionState, { definition }: Session): boolean => definition.config.kind !== "stdio";
	const signIn = async (argument: unknown): Promise<void> => {
		const session = await pickServer(host, argument, "Sign in to which server?", isRemote);
		if (session === undefined) return;
		const { id } = session.definition;
		const name = oneLine(session.definition.name, 80);
		const account = accounts.get(id);
		if (session.state.kind === "running" && account !== undefined) {
			const again = "Sign In Again";
			const answer = await showInformation(`${name}: you are signed in ${describeSignedIn(account)}.`, again);
			if (answer !== again) return;
			await (account.provider === undefined ? host.signOut(id) : signOutOfProvider());
		}
		// A start by the user asks for everything that is needed: the approval of its definition, then the sign-in.
		await vscode.commands.executeCommand("mcpHost.startServer", { server: id });
		if (session.state.kind === "running" && accounts.get(id) === undefined) {
			void showInformation(`${name} is running and did not ask you to sign in.`);
		}
	};
	const signOut = async (argument: unknown): Promise<void> => {
		const session = await pickServer(
			host,
			argument,
			"Sign out of which server?",
			(_state, { definition }) => accounts.get(definition.id) !== undefined,
		);
		if (session === undefined) return;
		const { id } = session.definition;
		const account = accounts.get(id);
		const name = oneLine(session.definition.name, 80);
		if (account === undefined) void showInformation(`You are not signed in to ${name}.`);
		else if (account.provider === undefined) await host.signOut(id);
		else {
			const { message, detail } = signOutQuestion(name, account.provider, [...accounts.values()]);
			if ((await askModal(message, detail, "Sign Out")) !== undefined) await signOutOfProvider();
		}
	};
	const chooseAccount = async (argument: unknown): Promise<void> => {
		const session = await pickServer(host, argument, "Choose the account of which server?", isRemote);
		if (session === undefined) return;
		const { definition } = session;
		const { id } = definition;
		const name = oneLine(definition.name, 80);
		if (accounts.get(id)?.provider !== undefined) {
			void showInformation(`${name} uses your identity provider. Sign out there to use another account.`);
			return;
		}
		const kept = await host.signIns.kept.get();
		const known = await kept.choice.list(definition);
		const another = { label: "$(add) Sign In with Another Account…", account: undefined };
		const picked = await vscode.window.showQuickPick(
			[
				...known.map((account) => ({
					label: withoutIcons(describeAccount(account.signedIn)),
					description: account.isChosen ? "used in this window" : "",
					account,
				})),
				another,
			],
			{ placeHolder: `The account that this window uses at ${name}`, ignoreFocusOut: true },
		);
		if (picked === undefined || picked.account?.isChosen === true) return;
		await kept.use(session, picked === another ? randomUUID() : picked.account?.id);
		await vscode.commands.executeCommand("mcpHost.startServer", { server: id });
		if (picked !== another || accounts.get(id) !== undefined) return;
		// Nobody signed in with the new account: the former one stays in use.
		const former = known.find(({ isChosen }) => isChosen);
		await kept.use(session, former?.id);
		if (former !== undefined) await vscode.commands.executeCommand("mcpHost.startServer", { server: id });
	};
	return commandsOf({ "mcpHost.signIn": signIn, "mcpHost.signOut": signOut, "mcpHost.chooseAccount": chooseAccount });
}
