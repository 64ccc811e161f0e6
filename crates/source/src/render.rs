//! Diagnostics as text: snippets for people, one JSON object per line for programs.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use serde_json::json;

use crate::excerpt::{Excerpt, excerpts};
use crate::{Diagnostic, Label, Severity, Source, Span};

/// Whether snippets may use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// Terminal escapes.
    Coloured,
}

/// The diagnostic as a snippet for people; it ends in a line break.
pub fn render(source: &Source, diagnostic: &Diagnostic, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.id));
    if diagnostic.labels.is_empty() {
        group = group.element(Origin::path(source.name()));
    }
    let shown = shown_excerpts(source, diagnostic);
    for excerpt in &shown {
        group = group.element(snippet(source, diagnostic, excerpt));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let mut text = renderer.decor_style(DecorStyle::Ascii).term_width(160).render(&[group]);
    for excerpt in &shown {
        restore_column(source, diagnostic, excerpt, &mut text);
    }
    text.push('\n');
    text
}

/// The excerpts of the diagnostic's places, the one with the main place first.
fn shown_excerpts(source: &Source, diagnostic: &Diagnostic) -> Vec<Excerpt> {
    let spans: Vec<Span> = diagnostic.labels.iter().map(|label| label.span).collect();
    let mut shown = excerpts(source, &spans);
    shown.sort_by_key(|excerpt| excerpt.marks.iter().all(|(at, _)| *at != 0));
    shown
}

fn snippet<'a>(source: &'a Source, diagnostic: &'a Diagnostic, excerpt: &Excerpt) -> Snippet<'a, Annotation<'a>> {
    let marks = excerpt.marks.iter().map(|(at, mark)| {
        let kind = if *at == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let text = diagnostic.labels[*at].text.as_str();
        kind.span(mark.clone()).label((!text.is_empty()).then_some(text))
    });
    let text = excerpt.text.clone();
    Snippet::source(text).path(source.name()).line_start(excerpt.line as usize).annotations(marks)
}

/// Snippets count columns from where their line was cut; this puts the column of the whole line in their heads.
fn restore_column(source: &Source, diagnostic: &Diagnostic, excerpt: &Excerpt, text: &mut String) {
    let Some((at, mark)) = excerpt.marks.first() else { return };
    let shown = excerpt.text[..mark.start].chars().count() as u32 + 1;
    let place = source.place(diagnostic.labels[*at].span.start);
    if excerpt.cut && shown != place.column {
        let head = |column: u32| format!("{}:{}:{column}", source.name(), excerpt.line);
        *text = text.replacen(&head(shown), &head(place.column), 1);
    }
}

/// The diagnostic as one line of JSON, without a line break.
pub fn render_json(source: &Source, diagnostic: &Diagnostic) -> String {
    let labels: Vec<_> = diagnostic.labels.iter().map(|label| label_json(source, label)).collect();
    let place = source.place(diagnostic.labels.first().map_or(0, |label| label.span.start));
    json!({
        "severity": severity(diagnostic),
        "code": diagnostic.code.id,
        "message": diagnostic.message,
        "file": source.name(),
        "line": place.line,
        "column": place.column,
        "labels": labels,
        "help": diagnostic.help,
    })
    .to_string()
}

fn label_json(source: &Source, label: &Label) -> serde_json::Value {
    let (start, end) = (source.place(label.span.start), source.place(label.span.end));
    json!({
        "text": label.text,
        "start": { "offset": label.span.start, "line": start.line, "column": start.column },
        "end": { "offset": label.span.end, "line": end.line, "column": end.column },
    })
}

fn severity(diagnostic: &Diagnostic) -> &'static str {
    match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::codes::NUL_BYTE;

    fn check(text: &str, diagnostic: &Diagnostic, expect: Expect) {
        let source = Source::new("policy.bool", text);
        expect.assert_eq(&render(&source, diagnostic, Style::Plain));
        let json: serde_json::Value =
            serde_json::from_str(&render_json(&source, diagnostic)).expect("a JSON object on one line");
        assert_eq!(json["message"], diagnostic.message);
    }

    fn error(start: usize, end: usize) -> Diagnostic {
        Diagnostic::error(&NUL_BYTE, Span::new(start, end), "something is wrong")
    }

    #[test]
    fn a_snippet_shows_place_labels_and_help() {
        let diagnostic = error(22, 25).label("not declared").also(Span::new(4, 7), "close to this").help("declare it");
        check(
            "int age;\ndecision d = agf > 3;\n",
            &diagnostic,
            expect![[r#"
                error[source-nul-byte]: something is wrong
                 --> policy.bool:2:14
                  |
                1 | int age;
                  |     --- close to this
                2 | decision d = agf > 3;
                  |              ^^^ not declared
                  |
                  = help: declare it
            "#]],
        );
    }

    #[test]
    fn tabs_and_wide_characters_keep_the_columns() {
        check(
            "\tä 日本 x",
            &error(11, 12).label("here"),
            expect![[r#"
            error[source-nul-byte]: something is wrong
             --> policy.bool:1:7
              |
            1 |     ä 日本 x
              |            ^ here
        "#]],
        );
    }

    #[test]
    fn an_empty_file_has_a_place() {
        check(
            "",
            &error(0, 0).label("nothing here"),
            expect![[r#"
            error[source-nul-byte]: something is wrong
             --> policy.bool:1:1
              |
            1 |
              | ^ nothing here
        "#]],
        );
    }

    #[test]
    fn the_end_of_a_file_has_a_place() {
        check(
            "a &&\r\n",
            &error(6, 6).label("the file ends here"),
            expect![[r#"
            error[source-nul-byte]: something is wrong
             --> policy.bool:2:1
              |
            2 |
              | ^ the file ends here
        "#]],
        );
        check(
            "a &&",
            &error(4, 4).label("the file ends here"),
            expect![[r#"
            error[source-nul-byte]: something is wrong
             --> policy.bool:1:5
              |
            1 | a &&
              |     ^ the file ends here
        "#]],
        );
    }

    #[test]
    fn places_far_apart_and_in_long_lines_are_cut_out() {
        let text = format!("start\n{}{}wrong{}", "x\n".repeat(200), "(".repeat(3000), ")".repeat(3000));
        let at = text.find("wrong").expect("it is there");
        check(
            &text,
            &error(at, at + 5).label("here").also(Span::new(0, 5), "from here"),
            expect![[r#"
            error[source-nul-byte]: something is wrong
               --> policy.bool:202:3001
                |
            202 | …((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((wrong))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))…
                |                                                              ^^^^^ here
                |
               ::: policy.bool:1:1
                |
              1 | start
                | ----- from here
        "#]],
        );
    }

    #[test]
    fn json_counts_lines_and_columns_from_one() {
        let json = render_json(&Source::new("x", "é\nab"), &error(3, 5).help("h"));
        expect![[r#"{"severity":"error","code":"source-nul-byte","message":"something is wrong","file":"x","line":2,"column":1,"labels":[{"text":"","start":{"offset":3,"line":2,"column":1},"end":{"offset":5,"line":2,"column":3}}],"help":["h"]}"#]].assert_eq(&json);
    }

    #[test]
    fn colours_come_only_when_asked_for() {
        let source = Source::new("x", "abc");
        assert!(!render(&source, &error(0, 1), Style::Plain).contains('\u{1b}'));
        assert!(render(&source, &error(0, 1), Style::Coloured).contains('\u{1b}'));
    }

    proptest::proptest! {
        #[test]
        fn no_span_of_no_text_panics(text in "[a-z\t\r\n é日\u{1b}\u{7f}]{0,60}", a in 0usize..70, b in 0usize..70) {
            let source = Source::new("x", text);
            let diagnostic = error(a.min(b), a.max(b)).label("l").also(Span::new(b, b), "m");
            let _ = render(&source, &diagnostic, Style::Plain);
            let _ = render_json(&source, &diagnostic);
        }
    }
}
