import { LRUCache } from 'lru-cache';
import type { Span, SpanAttributes } from '../../base/work.ts';

const cache = new LRUCache<string, { readonly name: string; readonly attributes: SpanAttributes }>({ max: 1000 });

/** Begins the span of a statement: its text with parameters as `$1` and with its literals masked, and its operation and table. */
export function statementSpan(parent: Span, text: string): Span {
  const cached = cache.get(text);
  const statement = cached ?? describe(text);
  if (!cached) cache.set(text, statement);
  return parent.child(statement.name, 'client', statement.attributes);
}

function describe(text: string): { readonly name: string; readonly attributes: SpanAttributes } {
  const masked = text
    .replace(/'(?:[^']|'')*'/g, "'?'")
    .replace(/\s+/g, ' ')
    .trim();
  // The outer statement names the operation and its table.
  let outer = masked;
  for (let inner = ''; inner !== outer; ) [inner, outer] = [outer, outer.replace(/\([^()]*\)/g, ' ')];
  const operation = /\b(select|insert|update|delete|values|call)\b/i.exec(outer)?.[1]?.toLowerCase() ?? 'statement';
  const table = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_]\w*)/i.exec(outer)?.[1];
  return {
    name: table === undefined ? operation : `${operation} ${table}`,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': masked, 'db.operation.name': operation, 'db.collection.name': table },
  };
}
