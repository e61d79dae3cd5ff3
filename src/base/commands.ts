/**
 * What runs when a command is chosen. Its arguments come from menus, links, key bindings and other extensions, so that
 * nothing is known of them.
 */
export type Command = (...args: readonly unknown[]) => unknown;

/** Commands by their ids. */
export type Commands<Id extends string> = Readonly<Record<Id, Command>>;

/** Makes commands that `tell` the person of a failure, with the command's first argument, and then end without one. */
export function guarded<Id extends string>(
	commands: Readonly<Record<Id, (argument: unknown) => Promise<unknown>>>,
	report: (error: unknown, argument: unknown) => unknown,
): Commands<Id>;
export function guarded(
	commands: Readonly<Record<string, (argument: unknown) => Promise<unknown>>>,
	report: (error: unknown, argument: unknown) => unknown,
): Commands<string> {
	const guard =
		(run: (argument: unknown) => Promise<unknown>): Command =>
		async (argument) => {
			try {
				return await run(argument);
			} catch (error) {
				await report(error, argument);
				return undefined;
			}
		};
	return Object.fromEntries(Object.entries(commands).map(([id, run]) => [id, guard(run)]));
}
