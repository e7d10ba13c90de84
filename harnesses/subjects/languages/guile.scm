;; SPDX-License-Identifier: MIT
;;
;; Guile as a subject: bytevector->string of (ice-9 iconv), with its strategies error and substitute; in pieces a port, with the same strategies;
;; string->bytevector.

(use-modules (ice-9 binary-ports) (ice-9 iconv) (ice-9 rdelim) (ice-9 textual-ports) (rnrs bytevectors) (srfi srfi-1))
(define names '(("utf-8" . "UTF-8") ("utf-16le" . "UTF-16LE") ("utf-16be" . "UTF-16BE")))

(define (bytes hex)
  (if (string=? hex "-") (u8-list->bytevector '())
      (u8-list->bytevector (map (lambda (i) (string->number (substring hex (* 2 i) (+ 2 (* 2 i))) 16)) (iota (quotient (string-length hex) 2))))))

(define (scalars text)
  (if (string-null? text) "-"
      (string-join (map (lambda (char) (string-upcase (number->string (char->integer char) 16))) (string->list text)) ",")))

;; A port that reads one piece at a time; an empty one would be the end.
(define (port-of pieces)
  (let ((left (filter (lambda (piece) (positive? (bytevector-length piece))) pieces)) (at 0))
    (define (read! to start room)
      (if (null? left) 0
          (let* ((piece (car left)) (count (min room (- (bytevector-length piece) at))))
            (bytevector-copy! piece at to start count)
            (set! at (+ at count))
            (when (= at (bytevector-length piece))
              (set! left (cdr left))
              (set! at 0))
            count)))
    (make-custom-binary-input-port "pieces" read! #f #f #f)))

(define (decode pieces name strategy)
  (if (null? (cdr pieces))
      (bytevector->string (car pieces) name strategy)
      (let ((port (port-of pieces)))
        (set-port-encoding! port name)
        (set-port-conversion-strategy! port strategy)
        (get-string-all port))))

(define (hex-of bytes)
  (if (zero? (bytevector-length bytes)) "-"
      (string-concatenate (map (lambda (byte) (string-pad (number->string byte 16) 2 #\0)) (bytevector->u8-list bytes)))))

;; Of code points; some have no character.
(define (encoded scalars name)
  (catch #t
    (lambda ()
      (let ((points (if (string=? scalars "-") '() (map (lambda (point) (string->number point 16)) (string-split scalars #\,)))))
        (string-append "ok " (hex-of (string->bytevector (list->string (map integer->char points)) name 'error)))))
    (lambda _ "error")))

(define (answer operation encoding . fields)
  (if (and (string=? operation "encode") (string=? (car fields) "strict") (assoc-ref names encoding))
      (encoded (cadr fields) (assoc-ref names encoding))
      (decoded operation encoding fields)))

(define (decoded operation encoding fields)
  (let ((policy (if (string=? operation "decode") (car fields) "strict")) (name (assoc-ref names encoding)))
    (if (or (not name) (not (member operation '("validate" "decode"))) (not (member policy '("strict" "own"))))
        "skip not offered"
        (let ((text (catch #t
                      (lambda () (decode (map bytes (string-split (last fields) #\,)) name (if (string=? policy "own") 'substitute 'error)))
                      (lambda _ #f))))
          (cond ((not text) "error")
                ((string=? operation "validate") "ok")
                (else (string-append "ok " (scalars text))))))))

(let loop ((line (read-line)))
  (unless (eof-object? line)
    (let ((words (string-split line #\space)))
      (display (if (string=? (car words) "hello")
                   (string-append "hello assay/1 guile " (version) " encodings=utf-8,utf-16le,utf-16be policies=strict,own ops=validate,decode,encode chunks=late\n")
                   (string-append (car words) " " (apply answer (cdr words)) "\n")))
      (force-output)
      (loop (read-line)))))
