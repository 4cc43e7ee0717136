/** Members of the context that only declared something; `setup` returns the declarations instead. */
const declaring = ['serve', 'serveCrud', 'every', 'share', 'on', 'filter', 'extend', 'figures'];
/** Statements that declare something: the property of the contributions, the pattern and its replacement. */
const declarations = [
  ['routes', /^serve(?=[(<])/, 'route'],
  ['routes', /^serveCrud\(/, 'crudRoutes('],
  ['routes', /^(\w+Routes\()/, '...$1'],
  ['services', /^share\(/, 'provide('],
  ['listeners', /^on\(/, 'listener('],
  ['filters', /^filter\(/, 'filterHandler('],
  ['tasks', /^every\(([^,]+), ([\s\S]*)\)$/, '{ everySeconds: $1, run: $2 }'],
  ['processors', /^jobs\.processor\(('[^']+'), ([\s\S]*)\)$/, '$1: $2'],
  ['figures', /^figures\.register\(([\s\S]*)\)$/, '$1'],
  ['smsChannels', /^sms\.use\(([\s\S]*)\)$/, '$1'],
  ['extensions', /^extend\(([\s\S]*)\)$/, '$1'],
];
const helpers = { route: 'route', 'crudRoutes(': 'crudRoutes', 'provide(': 'provide', 'listener(': 'listener', 'filterHandler(': 'filterHandler' };
const setupPattern = /^( *)routes\(([^)]*)\) \{\n([\s\S]*?)^\1\},?\n/gm;
const servingPattern = /^((?:export )?function \w+Routes\()([\s\S]*?)\): void \{\n([\s\S]*?)^\}\n/gm;

/** Turns `routes(context)` of a formatted server plugin into `setup(context)`, and its functions `serveX` into functions `xRoutes` that return routes. */
export function withSetup(text) {
  if (!/from '(#server|[^']*\/host\/plugin\.ts)'/.test(text)) return { text, imports: [] };
  const named = text.replace(/\bserve([A-Z]\w*)\b(?!')/g, (name, what) => (what === 'Crud' ? name : routesOf(what)));
  const wanted = new Set();
  const converted = named
    .replace(setupPattern, (_, indent, parameters, body) => {
      const { kept, declared } = split(body, `${indent}  `, wanted);
      const { extensions, processors, ...lists } = declared;
      const properties = Object.entries(lists).map(([name, entries]) => `${indent}    ${name}: [\n${lined(entries)}],\n`);
      if (processors) properties.push(`${indent}    processors: {\n${lined(processors)}},\n`);
      const before = extensions ? `${indent}extensions: [${extensions.map((entry) => entry.trim()).join(', ')}],\n` : '';
      return `${before}${indent}setup(${withoutDeclaring(parameters)}) {\n${kept}${indent}  return {\n${properties.join('')}${indent}  };\n${indent}},\n`;
    })
    .replace(servingPattern, (whole, head, parameters, body) => {
      const { kept, declared } = split(body, '  ', wanted);
      if (Object.keys(declared).join() !== 'routes') return whole;
      wanted.add('type PluginRoute');
      return `${head}${withoutDeclaring(parameters)}): PluginRoute[] {\n${kept}  return [\n${lined(declared.routes)}  ];\n}\n`;
    })
    .replace(/\bparameterDeclarations: /g, 'parameters: ');
  return { text: converted, imports: [...wanted] };
}

/** Separates the statements of a body that declare something from those that are kept. */
function split(body, indent, wanted) {
  const declared = {};
  const kept = statementsOf(body, indent).filter((statement) => {
    const code = statement
      .replace(/^(\s*\/\/.*\n)*/, '')
      .trim()
      .replace(/;$/, '')
      .replace(/^context\./, '');
    const found = declarations.find(([, pattern]) => pattern.test(code));
    if (!found) return true;
    const [property, pattern, replacement] = found;
    declared[property] = [
      ...(declared[property] ?? []),
      statement.slice(0, statement.search(/\S/)) + commentOf(statement) + code.replace(pattern, replacement),
    ];
    if (helpers[replacement]) wanted.add(helpers[replacement]);
    return false;
  });
  const text = withoutDeclaring(kept.join(''));
  return { kept: text === '' || text.endsWith('\n\n') ? text : `${text}\n`, declared };
}

/** Splits a body into statements with their comments; a formatted statement begins at the indent of the body. */
function statementsOf(body, indent) {
  const begins = new RegExp(`^${indent}[^\\s)}\\]]`);
  const statements = [];
  let isComment = false;
  for (const line of body.split(/(?<=\n)/)) {
    if (statements.length > 0 && (!begins.test(line) || isComment)) statements.push(statements.pop() + line);
    else statements.push(line);
    isComment = new RegExp(`^${indent}(//|/\\*\\*)`).test(line) || (isComment && /^\s*\*/.test(line));
  }
  return statements;
}

const commentOf = (statement) => /^(\s*\/\/.*\n)*/.exec(statement)[0].trimStart();
const lined = (entries) => entries.map((entry) => `${entry},\n`).join('');
const routesOf = (what) =>
  `${what.charAt(0).toLowerCase()}${what
    .slice(1)
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '')}Routes`;

/** Removes the declaring members from destructured contexts and from the types of contexts. */
const withoutDeclaring = (text) =>
  text
    .replace(
      /\{ ([\w, :]+) \}(?= = context;|: |$)/g,
      (_, names) =>
        `{ ${names
          .split(', ')
          .filter((name) => !declaring.includes(name.split(':')[0]))
          .join(', ')} }`,
    )
    .replace(/^ *const \{ {2}\} = context;\n|^\{ {2}\}$/gm, '')
    .replace(/'(?:serve|serveCrud|every|share|on|filter|extend|figures)' \| /g, '')
    .replace(/ \| '(?:serve|serveCrud|every|share|on|filter|extend|figures)'(?=[ >])/g, '');
