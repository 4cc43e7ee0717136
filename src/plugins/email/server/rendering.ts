import type { MailData, MailKind, MailRequest } from '#server';
import { type Language, type LocalizedText, localize } from '#shared/text';
import type { MailDocument } from '../contract.ts';
import { oneLine } from './smtp.ts';

const maxSubjectLength = 255;
const automatic: LocalizedText = ['此邮件由系统自动发送，请勿直接回复。', 'This e-mail was sent automatically. Please do not reply.'];
const preferences: LocalizedText = ['在个人信息中可选择接收哪些邮件：{url}', 'Choose which e-mails you get in your account settings: {url}'];
const accountPath = '/info/index';

/** Language of an e-mail, and the host and path of the console that it links to. */
interface RenderingContext {
  readonly language: Language;
  readonly consoleUrl: string;
  readonly basePath: string;
}

/** Renders an e-mail of one kind with its values in one language. */
export function documentOf(
  kind: MailKind,
  request: Pick<MailRequest, 'data' | 'link' | 'table'>,
  { language, consoleUrl, basePath }: RenderingContext,
): MailDocument {
  const { data, link, table } = request;
  const values = valuesIn(data, language);
  const fill = (text: LocalizedText) => localize(text, language, values);
  const addressOf = (path: string) => new URL(path.startsWith('/') ? basePath + path : path, consoleUrl).href;
  const url = link === undefined ? undefined : addressOf(link);
  const account = addressOf(accountPath);
  return {
    subject: oneLine(fill(kind.subject)).slice(0, maxSubjectLength),
    paragraphs: kind.body.filter((text) => hasContent(text, values)).map(fill),
    ...(table && table.rows.length > 0 ? { table: { headings: [...table.headings], rows: table.rows.map((row) => [...row]) } } : {}),
    ...(kind.action && url ? { action: { label: localize(kind.action, language), url } } : {}),
    footer: [localize(automatic, language), ...(kind.use === 'required' ? [] : [localize(preferences, language, { url: account })])],
  };
}

const valuesIn = (data: MailData, language: Language): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, typeof value === 'object' ? localize(value, language) : String(value)]));

/** True unless the paragraph has placeholders that are all empty. */
function hasContent(text: LocalizedText, values: Readonly<Record<string, string>>): boolean {
  const names = [...text[0].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.length === 0 || names.some((name) => (values[name] ?? '') !== '');
}

/** Formats an e-mail as plain text. */
export function textOf({ paragraphs, table, action, footer }: MailDocument): string {
  const rows = table ? [[table.headings, ...table.rows].map((row) => row.join(' | ')).join('\n')] : [];
  const link = action ? [`${action.label}: ${action.url}`] : [];
  return [...paragraphs, ...rows, ...link, `-- \n${footer.join('\n')}`].join('\n\n');
}

const font = "font-family:-apple-system,'Segoe UI','PingFang SC','Microsoft YaHei',sans-serif";

/** Formats an e-mail as HTML with inline styles, because e-mail clients ignore style sheets. Every value is escaped. */
export function htmlOf({ subject, paragraphs, table, action, footer }: MailDocument, language: Language): string {
  const paragraph = (text: string) => `<p style="margin:0 0 12px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
  const button = action
    ? `<p style="margin:20px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:9px 18px;border-radius:6px;background:#165dff;color:#ffffff;text-decoration:none">${escapeHtml(action.label)}</a></p>`
    : '';
  return `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f2f3f5"><div style="max-width:640px;margin:0 auto;padding:24px;border-radius:8px;background:#ffffff;color:#1d2129;font-size:14px;line-height:1.6;${font}">
${paragraphs.map(paragraph).join('\n')}
${table ? tableHtml(table) : ''}
${button}
</div><div style="max-width:640px;margin:12px auto 0;padding:0 24px;color:#6b7785;font-size:12px;line-height:1.6;${font}">${footer.map(withLinks).join('<br>')}</div></body></html>`;
}

function tableHtml({ headings, rows }: NonNullable<MailDocument['table']>): string {
  const cell = (tag: string, style: string) => (text: string) =>
    `<${tag} style="padding:6px 10px;border:1px solid #e5e6eb;text-align:left;${style}">${escapeHtml(text)}</${tag}>`;
  const row = (cells: readonly string[]) => `<tr>${cells.map(cell('td', '')).join('')}</tr>`;
  return `<div style="overflow-x:auto"><table style="border-collapse:collapse;font-size:13px"><thead><tr>${headings.map(cell('th', 'background:#f7f8fa')).join('')}</tr></thead><tbody>${rows.map(row).join('')}</tbody></table></div>`;
}

const withLinks = (text: string) => escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}" style="color:#165dff">${url}</a>`);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for HTML. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
