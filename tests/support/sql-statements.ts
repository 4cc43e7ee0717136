import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as ast from 'typescript/unstable/ast';
import { API, type Project, SymbolFlags } from 'typescript/unstable/sync';
import { snakeCase } from '#shared/text';

/** A statement of the source with its parameters as `$1`, `$2`. One template yields several if its parts depend on conditions. */
export interface SourceStatement {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Names of the required properties of the row type at the call; undefined without one. */
  readonly fields: readonly string[] | undefined;
}

/** Result of reading the source. */
export interface SourceStatements {
  readonly statements: readonly SourceStatement[];
  /** Templates that are not part of any statement. */
  readonly unusedTemplates: readonly { readonly file: string; readonly text: string }[];
  readonly templates: number;
}

/** Values of the parameters of functions that are being inlined. */
type Bindings = ReadonlyMap<ast.Node, readonly [ast.Expression, Bindings]>;

const statementStart = /^\s*(select|insert|update|delete|with)\b/i;
/** Includes conditions that stand alone, which are verified like statements. */
const standaloneStart = /^\s*(select|insert|update|delete|with|exists)\b/i;
const noBindings: Bindings = new Map();

/** Reads all SQL templates of the server's source and composes the statements they form. */
export function sourceStatements(): SourceStatements {
  const folder = resolve('node_modules/.cache/sql-statements');
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'tsconfig.json');
  const include = ['src/server', 'src/plugins/*/server', 'src/shared/*.d.ts'].map((path) => resolve(path));
  writeFileSync(config, JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions: { typeRoots: [resolve('node_modules/@types')] }, include }));
  const api = new API({ cwd: process.cwd() });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error('The compiler opened no project.');
    return new StatementReader(project).read();
  } finally {
    api.close();
  }
}

class StatementReader {
  private readonly used = new Set<ast.Node>();
  private readonly statements = new Map<string, SourceStatement>();
  private readonly calls = new Map<string, ast.CallExpression[]>();
  /** Index of the alternative that is taken at each condition, and the largest number of alternatives of one. */
  private alternative = 0;
  private alternatives = 1;
  private parameters = 0;

  constructor(private readonly project: Project) {}

  read(): SourceStatements {
    const root = `${process.cwd()}/`;
    const files = this.project.program.getSourceFileNames().filter((name) => /^src\/(server|plugins\/[^/]+\/server)\//.test(name.replace(root, '')));
    const templates: [string, ast.SourceFile, ast.TaggedTemplateExpression][] = [];
    const executed: [string, ast.SourceFile, ast.Expression, ast.Node | undefined][] = [];
    for (const name of files) {
      const source = this.project.program.getSourceFile(name) as ast.SourceFile;
      const file = name.replace(root, '');
      walk(source, (node) => {
        if (isTemplate(node, source)) templates.push([file, source, node]);
        if (!ast.isCallExpression(node)) return;
        const callee = node.expression.getText(source).replace(/^.*\./s, '');
        this.calls.set(callee, [...(this.calls.get(callee) ?? []), node]);
        const statement = callee === 'queryRows' ? node.arguments[1] : callee === 'execute' ? node.arguments[0] : undefined;
        if (statement && file !== 'src/server/data/database/rows.ts') executed.push([file, source, statement, node.typeArguments?.[0]]);
      });
    }
    for (const [file, source, statement, row] of executed) this.add(file, source, statement, row);
    for (const [file, source, template] of templates) {
      if (!this.used.has(template) && standaloneStart.test(headOf(template))) this.add(file, source, template, undefined);
    }
    const unusedTemplates = templates.filter(([, , node]) => !this.used.has(node)).map(([file, source, node]) => ({ file, text: node.getText(source) }));
    return { statements: [...this.statements.values()], unusedTemplates, templates: templates.length };
  }

  private add(file: string, source: ast.SourceFile, statement: ast.Expression, row: ast.Node | undefined): void {
    this.alternatives = 1;
    const line = source.text.slice(0, statement.getStart(source)).split('\n').length;
    const fields = row && this.fieldsOf(row);
    for (this.alternative = 0; this.alternative < this.alternatives; this.alternative += 1) {
      this.parameters = 0;
      const composed = this.compose(statement, noBindings);
      const text = /^\s*exists\b/.test(composed) ? `select ${composed}` : composed;
      if (statementStart.test(text)) this.statements.set(`${file}:${line} ${text}`, { file, line, text, fields });
    }
  }

  private fieldsOf(row: ast.Node): string[] | undefined {
    const { checker } = this.project;
    const type = checker.getTypeFromTypeNode(row as never);
    const required = type && checker.getPropertiesOfType(type).filter(({ flags }) => (flags & SymbolFlags.Optional) === 0);
    return required?.map(({ name }) => name);
  }

  private pick<Option>(...options: readonly Option[]): Option {
    this.alternatives = Math.max(this.alternatives, options.length);
    return options[Math.min(this.alternative, options.length - 1)] as Option;
  }

  private parameter(): string {
    this.parameters += 1;
    return `$${this.parameters}`;
  }

  /** Composes the SQL of an expression; a value becomes a parameter, and SQL of unknown origin null. */
  private compose(node: ast.Node, bound: Bindings): string {
    const source = node.getSourceFile();
    if (ast.isParenthesizedExpression(node) || ast.isAsExpression(node)) return this.compose(node.expression, bound);
    if (isTemplate(node, source)) return this.template(node, bound);
    if (!this.isSql(node)) return this.isList(node) ? `(${this.parameter()})` : this.parameter();
    if (ast.isConditionalExpression(node)) return this.compose(this.pick(node.whenTrue, node.whenFalse), bound);
    if (ast.isBinaryExpression(node)) return this.compose(this.pick(node.left, node.right), bound);
    const mapped = this.tableOrColumn(node, bound);
    if (mapped) return mapped;
    if (ast.isCallExpression(node)) return this.call(node, bound);
    if (ast.isPropertyAccessExpression(node) && this.isLiterals(node.expression)) return '0';
    if (ast.isElementAccessExpression(node)) return this.compose(this.initializerOf(node.expression) ?? node.expression, bound);
    if (ast.isObjectLiteralExpression(node)) {
      const values = node.properties.filter(ast.isPropertyAssignment).map(({ initializer }) => initializer);
      return values.length > 0 ? this.compose(this.pick(...values), bound) : 'null';
    }
    const declaration = this.declarationOf(node);
    if (!declaration) return 'null';
    const argument = bound.get(declaration);
    if (argument) return this.compose(...argument);
    const from = this.argumentsFor(declaration);
    if (from.length > 0) return this.compose(this.pick(...from), noBindings);
    const { initializer } = declaration as { initializer?: ast.Expression };
    return initializer && initializer !== node ? this.compose(initializer, bound) : 'null';
  }

  /** Tests for a constant of `literals()`, whose members are integers. */
  private isLiterals(node: ast.Expression): boolean {
    const initializer = this.initializerOf(node);
    return initializer !== undefined && ast.isCallExpression(initializer) && initializer.expression.getText(initializer.getSourceFile()) === 'literals';
  }

  /** Returns the quoted name of a table, or of a column with its table, that is derived from an entity. */
  private tableOrColumn(node: ast.Node, bound: Bindings): string | undefined {
    const table = this.tableName(node, bound);
    if (table) return `"${table}"`;
    if (ast.isPropertyAccessExpression(node)) {
      const owner = this.tableName(node.expression, bound);
      return owner && `"${owner}"."${snakeCase(node.name.text)}"`;
    }
    const declaration = ast.isIdentifier(node) ? this.declarationOf(node) : undefined;
    if (!declaration || !ast.isBindingElement(declaration)) return undefined;
    const from = (declaration.parent?.parent as { initializer?: ast.Expression } | undefined)?.initializer;
    const owner = from && this.tableName(from, bound);
    return owner && `"${owner}"."${snakeCase(nameOf(declaration))}"`;
  }

  private tableName(node: ast.Node, bound: Bindings): string | undefined {
    if (ast.isCallExpression(node)) {
      const callee = node.expression.getText();
      const entity = callee === 'tableOf' ? node.arguments[0] : /^(tree)?repositoryOf$/i.test(callee) ? node.arguments[1] : undefined;
      return entity && this.entityName(entity, bound);
    }
    const isTable = ast.isPropertyAccessExpression(node) && node.name.text === 'table';
    if (isTable && !ast.isIdentifier(node.expression) && !ast.isPropertyAccessExpression(node.expression)) return this.tableName(node.expression, bound);
    if (!ast.isIdentifier(node) && !ast.isPropertyAccessExpression(node)) return undefined;
    const declaration = this.declarationOf(node);
    if (!declaration) return undefined;
    const argument = bound.get(declaration);
    if (argument) return this.tableName(...argument);
    const { initializer } = declaration as { initializer?: ast.Expression };
    if (initializer && initializer !== node) return this.tableName(initializer, bound);
    const from = ast.isBindingElement(declaration) ? (declaration.parent?.parent as { initializer?: ast.Expression } | undefined)?.initializer : undefined;
    if (from && ast.isBindingElement(declaration) && nameOf(declaration) === 'table') return this.tableName(from, bound);
    return isTable ? this.tableName((node as { expression: ast.Expression }).expression, bound) : undefined;
  }

  private entityName(node: ast.Node, bound: Bindings): string | undefined {
    const declaration = this.declarationOf(node);
    const argument = declaration && bound.get(declaration);
    if (argument) return this.entityName(...argument);
    const initializer = (declaration as { initializer?: ast.Expression } | undefined)?.initializer;
    const name = initializer && ast.isCallExpression(initializer) ? initializer.arguments[0] : undefined;
    return name && ast.isStringLiteral(name) ? snakeCase(name.text) : undefined;
  }

  private template(node: ast.TaggedTemplateExpression, bound: Bindings): string {
    this.used.add(node);
    const { template } = node;
    if (ast.isNoSubstitutionTemplateLiteral(template)) return template.text;
    if (!ast.isTemplateExpression(template)) return '';
    return template.head.text + template.templateSpans.map(({ expression, literal }) => this.compose(expression, bound) + literal.text).join('');
  }

  private call(node: ast.CallExpression, bound: Bindings): string {
    const callee = node.expression.getText(node.getSourceFile());
    const [first, second] = node.arguments;
    if (callee === 'sql.raw' || callee === 'sql.identifier') return first ? this.constant(first, bound) : '';
    if (callee === 'sql.join' && first) return this.join(first, bound, second ? this.compose(second, bound) : '');
    if (callee === 'and' || callee === 'or') return node.arguments.map((each) => `(${this.compose(each, bound)})`).join(` ${callee} `);
    if (callee === 'visibleRows') return 'true';
    const declaration = this.declarationOf(node.expression);
    const body = declaration && bodyOf(declaration);
    if (!declaration || !body || body.results.length === 0) return 'null';
    const newBindings = body.parameters.flatMap((parameter, index): [ast.Node, readonly [ast.Expression, Bindings]][] => {
      const argument = node.arguments[index];
      return argument ? [[parameter, [argument, bound]]] : [];
    });
    return this.compose(this.pick(...body.results), new Map([...bound, ...newBindings]));
  }

  private join(list: ast.Expression, bound: Bindings, separator: string): string {
    if (ast.isArrayLiteralExpression(list)) return list.elements.map((each) => this.join(each, bound, separator)).join(separator);
    if (ast.isSpreadElement(list)) return this.join(list.expression, bound, separator);
    const initializer = ast.isIdentifier(list) ? this.initializerOf(list) : undefined;
    if (initializer) return this.join(initializer, bound, separator);
    if (!ast.isCallExpression(list)) return this.compose(list, bound);
    const mapper = list.arguments[0];
    const results = mapper ? bodyOf(mapper)?.results : undefined;
    return results?.length ? this.compose(this.pick(...results), bound) : this.compose(list, bound);
  }

  /** Returns the text of a constant expression, by its type. */
  private constant(node: ast.Expression, bound: Bindings): string {
    const declaration = ast.isIdentifier(node) ? this.declarationOf(node) : undefined;
    const argument = declaration && bound.get(declaration);
    if (argument) return this.constant(...argument);
    const type = this.project.checker.getTypeAtLocation(node);
    const values = (type?.isUnionType() ? type.getTypes() : [type]).flatMap((each) => (each?.isStringLiteralType() ? [each.value] : []));
    return values.length > 0 ? this.pick(...values) : 'null';
  }

  private initializerOf(node: ast.Node): ast.Expression | undefined {
    return (this.declarationOf(node) as { initializer?: ast.Expression } | undefined)?.initializer;
  }

  private declarationOf(node: ast.Node): ast.Node | undefined {
    const { checker } = this.project;
    const symbol = checker.getSymbolAtLocation(ast.isPropertyAccessExpression(node) ? node.name : node);
    const isImported = symbol !== undefined && (symbol.flags & SymbolFlags.Alias) !== 0;
    const target = isImported ? checker.getAliasedSymbol(symbol) : symbol;
    return target?.valueDeclaration?.resolve();
  }

  /** Returns the arguments of all calls of the function to which a parameter belongs. */
  private argumentsFor(declaration: ast.Node): ast.Expression[] {
    if (!ast.isParameterDeclaration(declaration)) return [];
    const owner = declaration.parent as ast.Node & { parameters: readonly ast.Node[]; name?: ast.Node };
    const name = (owner.name ?? (owner.parent as { name?: ast.Node }).name)?.getText(declaration.getSourceFile());
    const index = owner.parameters.indexOf(declaration);
    return (this.calls.get(name ?? '') ?? []).flatMap((call) => {
      const called = this.declarationOf(call.expression);
      return called === owner || called === owner.parent ? (call.arguments[index] ?? []) : [];
    });
  }

  private isSql(node: ast.Node): boolean {
    const { checker } = this.project;
    const type = checker.getTypeAtLocation(node);
    return type !== undefined && /\b(SQL|SQLWrapper|PgColumn|ColumnOf|TableOf|NamedTable|PgTable\w*)\b/.test(checker.typeToString(type));
  }

  private isList(node: ast.Node): boolean {
    const type = this.project.checker.getTypeAtLocation(node);
    return type !== undefined && this.project.checker.isArrayLikeType(type);
  }
}

/** Returns the property that a destructured name reads. */
const nameOf = ({ propertyName, name }: ast.BindingElement): string => (propertyName ?? name)?.getText() ?? '';

const isTemplate = (node: ast.Node, source: ast.SourceFile): node is ast.TaggedTemplateExpression =>
  ast.isTaggedTemplateExpression(node) && node.tag.getText(source).replace(/<.*$/s, '') === 'sql';

function headOf({ template }: ast.TaggedTemplateExpression): string {
  return ast.isTemplateExpression(template) ? template.head.text : ((template as { text?: string }).text ?? '');
}

function walk(node: ast.Node, visit: (node: ast.Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

/** Returns the parameters of a function and the expressions that it can return. */
function bodyOf(declaration: ast.Node): { parameters: readonly ast.Node[]; results: ast.Expression[] } | undefined {
  const fn = (ast.isArrowFunction(declaration) ? declaration : ((declaration as { initializer?: ast.Node }).initializer ?? declaration)) as ast.ArrowFunction;
  if (!fn.parameters || !fn.body) return undefined;
  if (!ast.isBlock(fn.body)) return { parameters: fn.parameters, results: [fn.body as ast.Expression] };
  const results: ast.Expression[] = [];
  walk(fn.body, (node) => void (ast.isReturnStatement(node) && node.expression && results.push(node.expression)));
  return { parameters: fn.parameters, results };
}
