/**
 * The handler of a command. Its arguments come from menus, links, key bindings and other extensions, so they are
 * unknown.
 */
export type Command = (...args: readonly unknown[]) => unknown;

/** Commands by their ids. */
export type Commands<Id extends string> = Readonly<Record<Id, Command>>;

type Run = (...args: readonly unknown[]) => Promise<unknown>;

/** Makes commands that `report` a failure, with the command's first argument, and then end without one. */
export function guarded<Id extends string>(
	commands: Readonly<Record<Id, Run>>,
	report: (error: unknown, argument: unknown) => unknown,
): Commands<Id>;
export function guarded(
	commands: Readonly<Record<string, Run>>,
	report: (error: unknown, argument: unknown) => unknown,
): Commands<string> {
	const guard =
		(run: Run): Command =>
		async (...args) => {
			try {
				return await run(...args);
			} catch (error) {
				await report(error, args[0]);
				return undefined;
			}
		};
	return Object.fromEntries(Object.entries(commands).map(([id, run]) => [id, guard(run)]));
}
