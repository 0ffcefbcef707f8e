import type { ComponentProps, ReactNode } from "react";

/** A file input in a dashed box. `label`: its name and hint. */
export const FileBox = ({ label, ...input }: { label: ReactNode } & ComponentProps<"input">) => (
  <label className="block rounded-lg border-2 border-dashed border-line-strong bg-card px-4 py-5 text-center">
    {label}
    <input
      {...input}
      type="file"
      className="mt-3 block w-full text-sm text-ink-soft file:mr-3 file:min-h-target file:cursor-pointer file:rounded-md file:border-2 file:border-brand file:bg-card file:px-5 file:text-base file:font-bold file:text-brand"
    />
  </label>
);
