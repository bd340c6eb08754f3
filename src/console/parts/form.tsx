import { type ReactNode, useId, useState } from "react";
import { type Draft, type Field, flat } from "../model/form-fields.ts";
import { toAmount } from "../model/amounts.ts";
import "./form.css";

/** Of a group with more fields than this only those are shown that say something; the others can be added. */
const shownMax = 6;

type FieldsProps = {
  readonly fields: readonly Field[];
  readonly draft: Draft;
  /** What is wrong, by the path of the field. */
  readonly findings: ReadonlyMap<string, string>;
  readonly onChange: (draft: Draft) => void;
};

/** The fields of a form that was made from a schema. */
export function FormFields(props: FieldsProps): ReactNode {
  return (
    <div className="form-fields">
      {props.fields.map((field) =>
        field.kind === "group" ? (
          <Group key={field.path} {...props} group={field} />
        ) : (
          <FormField key={field.path} {...props} field={field} />
        ),
      )}
    </div>
  );
}

function Group(props: FieldsProps & { readonly group: Field }): ReactNode {
  const { group, draft, findings } = props;
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const isShort = group.fields.length <= shownMax;
  const isShown = ({ path }: Field): boolean =>
    isShort || (draft[path] ?? "") !== "" || added.has(path) || findings.has(path);
  const shown = group.fields.filter((field) => flat([field]).some(isShown));
  const hidden = group.fields.filter((field) => !shown.includes(field));
  return (
    <fieldset className="form-group">
      <legend>{group.label}</legend>
      {group.help === "" ? null : <p className="form-help">{group.help}</p>}
      {findings.has(group.path) ? <Finding text={findings.get(group.path) ?? ""} /> : null}
      <FormFields {...props} fields={shown} />
      {hidden.length === 0 ? null : (
        <label className="form-add">
          <span className="sr">Add to {group.label}</span>
          <select value="" onChange={({ target }) => setAdded(new Set(added).add(target.value))}>
            <option value="">Add …</option>
            {hidden.map(({ path, label, help }) => (
              <option key={path} value={path} title={help}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  );
}

export function FormField(props: FieldsProps & { readonly field: Field }): ReactNode {
  const { field, draft, findings, onChange } = props;
  const id = useId();
  const value = draft[field.path] ?? "";
  const finding = findings.get(field.path);
  const amount = field.unit === null ? "" : toAmount(value, field.unit);
  const own = {
    id,
    value,
    "aria-describedby": `${id}-help`,
    "aria-invalid": finding !== undefined,
    "data-field": field.path,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange({ ...draft, [field.path]: target.value }),
  };
  return (
    <div className={small.has(field.kind) ? "form-field" : "form-field wide"}>
      <label htmlFor={id}>
        {field.label}
        {field.isRequired ? <span className="dim"> needed</span> : null}
      </label>
      <Input field={field} own={own} />
      {amount === "" ? null : <span className="form-amount num">{amount}</span>}
      <p className="form-help" id={`${id}-help`}>
        {field.help}
        {hints[field.kind] ?? ""}
      </p>
      {finding === undefined ? null : <Finding text={finding} />}
    </div>
  );
}

/** Two of these stand beside each other. */
const small: ReadonlySet<Field["kind"]> = new Set(["text", "number", "choice", "flag"]);
const hints: Readonly<Partial<Record<Field["kind"], string>>> = {
  list: " One on each line.",
  pairs: " NAME=value, one on each line.",
  data: " As JSON.",
};

type Own = {
  readonly id: string;
  readonly value: string;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
};

function Input({ field, own }: { readonly field: Field; readonly own: Own }): ReactNode {
  const rows = Math.min(12, own.value.split("\n").length + 1);
  switch (field.kind) {
    case "choice":
    case "flag":
      return (
        <select {...own}>
          <option value="">{field.isRequired ? "Choose …" : "Not said"}</option>
          {(field.kind === "flag" ? ["yes", "no"] : field.options).map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      );
    case "list":
    case "pairs":
    case "data":
    case "long":
      return <textarea {...own} rows={rows} spellCheck={false} className={field.kind === "long" ? "" : "mono"} />;
    case "number":
      return <input {...own} inputMode="numeric" autoComplete="off" />;
    default:
      if (field.options.length > 0) return <Known options={field.options} own={own} />;
      return <input {...own} spellCheck={false} autoComplete="off" />;
  }
}

/** A text for which there are names to choose from. */
function Known({ options, own }: { readonly options: readonly string[]; readonly own: Own }): ReactNode {
  return (
    <>
      <input {...own} list={`${own.id}-known`} spellCheck={false} autoComplete="off" />
      <datalist id={`${own.id}-known`}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </>
  );
}

export function Finding({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="form-finding" role="alert">
      {text}
    </p>
  );
}
