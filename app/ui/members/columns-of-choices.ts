/** The look of short choices beside each other: the row, a choice, its box. */
export const columnsOfChoices = {
  row: "flex flex-wrap gap-2",
  choice: "min-w-min flex-[1_1_6.25rem]",
  box: "gap-1.5 p-2 before:size-5 peer-checked:before:border-[0.4rem]",
};
