export { numberIn, numbersIn, textIn, textsIn } from "../../protocol/event-fields.ts";
