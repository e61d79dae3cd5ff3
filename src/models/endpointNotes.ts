import type { ActivityNotes, ConfigurationActivity } from "../records/activity/journal/entry.ts";
import type { Disposable } from "../base/lifecycle.ts";
import type { Observed } from "./directory.ts";
import type { ModelEndpoint } from "./endpoints.ts";
import { parseEndpoints } from "./parseEndpoints.ts";

/**
 * Records which endpoints of models are added, changed and removed by the setting `mcpHost.models`, until disposed
 * (JRN-15). The first state is not a change.
 */
export function noteEndpoints(setting: Observed<unknown>, notes: ActivityNotes): Disposable {
	let known = endpointsOf(setting);
	return setting.onDidChange(() => {
		const before = known;
		const now = endpointsOf(setting);
		known = now;
		const note = (event: ConfigurationActivity["event"], endpoints: readonly ModelEndpoint[]): void => {
			const names = endpoints.map(({ name }) => name);
			if (names.length > 0) notes.note({ kind: "configuration", event, place: "the model endpoints", names });
		};
		const isNew = ({ id }: ModelEndpoint): boolean => !before.has(id);
		const isOther = (one: ModelEndpoint): boolean => JSON.stringify(before.get(one.id)) !== JSON.stringify(one);
		const present = [...now.values()];
		const gone = [...before.values()].filter(({ id }) => !now.has(id));
		note("added", present.filter(isNew));
		note(
			"edited",
			present.filter((one) => !isNew(one) && isOther(one)),
		);
		note("removed", gone);
	});
}

function endpointsOf({ value }: Observed<unknown>): ReadonlyMap<string, ModelEndpoint> {
	return new Map(parseEndpoints(value).endpoints.map((endpoint) => [endpoint.id, endpoint]));
}
