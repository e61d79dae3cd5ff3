import type { Disposable } from "../../base/lifecycle.ts";
import { isJsonObject } from "../../base/json.ts";
import { type MessagePort, RpcEndpoint } from "../../base/rpc.ts";
import type { AddServersHostApi, AddServersViewApi } from "./addServersProtocol.ts";
import { toAddServersView } from "./addServersView.ts";
import type { RowChange } from "./candidate.ts";
import type { AddingServers } from "./candidates.ts";

/** Longest text that is taken from the view, in characters. */
const longest = 1_000_000;

/**
 * Connects servers that may be added with the view that shows them. Every message of the view is checked (UI-06), and
 * all state is kept here, so that the view may be closed and reopened (UI-07). `close` is called when the user is done;
 * `added` once servers were added.
 */
export function connectAddServers(
	port: MessagePort,
	adding: AddingServers,
	done: { readonly close: () => void; readonly added: () => void },
): Disposable {
	const view = new RpcEndpoint<AddServersViewApi, AddServersHostApi>(port, {
		ready: () => toAddServersView(adding),
		read: (text) => adding.read(textOf(text)),
		byHand: () => adding.byHand(),
		openBundle: (id) => adding.lookInto(textOf(id), "bundle"),
		openDomain: (id) => adding.lookInto(textOf(id), "domain"),
		openListed: (id) => adding.lookInto(textOf(id), "listed"),
		choose: (id, isChosen) =>
			adding.edit(textOf(id), (candidate) => {
				candidate.isChosen = isChosen === true;
			}),
		chooseAll: (id, isChosen) => adding.chooseAll(textOf(id), isChosen === true),
		rename: (id, name) =>
			adding.edit(textOf(id), (candidate) => {
				candidate.name = textOf(name);
			}),
		retarget: (id, text) => adding.retarget(textOf(id), textOf(text)),
		changeRow: (id, row, change) =>
			adding.edit(textOf(id), (candidate) => candidate.change(numberOf(row), changeOf(change))),
		keepArgument: (id, index) => adding.edit(textOf(id), (candidate) => candidate.keepArgument(numberOf(index))),
		addRow: (id) => adding.edit(textOf(id), (candidate) => candidate.addRow()),
		removeRow: (id, row) => adding.edit(textOf(id), (candidate) => candidate.removeRow(numberOf(row))),
		follow: (id, isFollowed) => adding.follow(textOf(id), isFollowed === true),
		choosePlace: (index) => adding.choosePlace(numberOf(index)),
		add: async (andReview) => {
			if (await adding.add(andReview === true)) done.added();
		},
		close: done.close,
	});
	const following = adding.onDidChange(() => view.notify("show", toAddServersView(adding)));
	return {
		dispose: () => {
			following.dispose();
			view.dispose();
		},
	};
}

function textOf(value: unknown): string {
	return typeof value === "string" && value.length <= longest ? value : "";
}

function numberOf(value: unknown): number {
	return typeof value === "number" && Number.isSafeInteger(value) ? value : -1;
}

/** A change that a view requests; unknown ones are ignored. A text under `environment` is the variable's name. */
function changeOf(value: unknown): RowChange {
	if (!isJsonObject(value)) return {};
	const { name, text, kind, variable } = value as Readonly<Record<string, unknown>>;
	return {
		...(typeof name === "string" ? { name } : {}),
		...(typeof text === "string" ? { text } : {}),
		...(typeof variable === "string" ? { variable } : {}),
		...(kind === "plain" || kind === "environment" || kind === "secret" ? { kind } : {}),
	};
}
