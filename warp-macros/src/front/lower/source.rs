//! Places in the user's source, for reports.

use proc_macro2::Span;
use warp_ir::ir::{Source, SourceId};

use super::Lower;
use crate::front::ast::ExprId;

impl Lower<'_> {
    /// The source of an expression.
    pub(super) fn source(&mut self, id: ExprId) -> SourceId {
        let expr = self.body.expr(id);
        self.source_of(expr.span, &expr.text.clone())
    }

    /// From here on values come from the statement that evaluates an expression.
    pub(super) fn begin_statement(&mut self, id: ExprId) {
        if let Some((span, text)) = self.body.statements.get(&id) {
            let source = self.source_of(*span, text);
            self.b.at(Some(source));
        }
    }

    fn source_of(&mut self, span: Span, text: &str) -> SourceId {
        let start = span.start();
        let source = match self.names.library {
            // A library's source is not the user's: the call's place is reported instead.
            true => Source { text: text.into(), ..Source::default() },
            false => Source {
                file: span.file(),
                line: start.line as u32,
                column: start.column as u32 + 1,
                text: text.into(),
            },
        };
        self.b.source(source)
    }
}
