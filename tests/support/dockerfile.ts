/** Instruction of a Dockerfile, with its flags (`--from=build`) apart from its arguments. */
export interface Instruction {
  readonly keyword: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Stage of a Dockerfile: `FROM base AS name` and what follows it. */
export interface Stage {
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** Reads a Dockerfile into its stages; the `ARG` lines before the first stage are replaced in the bases. */
export function stagesOf(text: string): Stage[] {
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  const presets: Record<string, string> = {};
  for (const instruction of instructionsOf(text)) {
    const stage = stages.at(-1);
    if (instruction.keyword === 'FROM') {
      const [base = '', as, name] = withVariables(instruction.text, presets).split(/\s+/);
      if (as !== undefined && as.toUpperCase() !== 'AS') throw new Error(`FROM ${instruction.text} is not understood.`);
      stages.push({ name: name ?? String(stages.length), base, instructions: [] });
    } else if (stage) stage.instructions.push(instruction);
    else if (instruction.keyword === 'ARG') Object.assign(presets, assignmentsOf(instruction.text));
    else throw new Error(`${instruction.keyword} stands before the first FROM.`);
  }
  return stages;
}

function instructionsOf(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  return lines
    .join('\n')
    .replace(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => {
      const [, keyword = '', flags = '', rest = ''] = /^(\w+)((?:\s+--[\w-]+=\S+)*)\s+(.*)$/.exec(line) ?? [];
      if (keyword === '') throw new Error(`${line} is not understood.`);
      return { keyword: keyword.toUpperCase(), flags: assignmentsOf(flags.replaceAll('--', '')), text: rest };
    });
}

/** Reads `NAME=value` pairs without quotes; a name alone has an empty value. */
export function assignmentsOf(text: string): Record<string, string> {
  if (/["'\\]/.test(text)) throw new Error(`Quotes are not understood here: ${text}`);
  const pairs = text.trim().split(/\s+/).filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => [pair.split('=', 1)[0] ?? '', pair.includes('=') ? pair.slice(pair.indexOf('=') + 1) : '']));
}

/** Replaces `$NAME` and `${NAME}`; a variable that is not set is an error. */
export function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, plain?: string) => {
    const value = variables[braced ?? plain ?? ''];
    if (value === undefined) throw new Error(`${braced ?? plain} is not set.`);
    return value;
  });
}

/** Reads the command of `CMD` or `HEALTHCHECK … CMD` in its JSON form. */
export function commandOf(text: string): string[] {
  const command: unknown = JSON.parse(text.replace(/^CMD\s+/, ''));
  if (!Array.isArray(command) || !command.every((part) => typeof part === 'string')) throw new Error(`${text} is no command in JSON.`);
  return command;
}
