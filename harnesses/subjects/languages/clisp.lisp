;;; SPDX-License-Identifier: MIT
;;;
;;; CLISP as a subject: ext:convert-string-from-bytes, strict and with a replacement character;
;;; ext:convert-string-to-bytes.

(defun bytes (hex)
  (let ((out (make-array (if (string= hex "-") 0 (floor (length hex) 2)) :element-type '(unsigned-byte 8))))
    (dotimes (i (length out) out)
      (setf (aref out i) (parse-integer hex :start (* 2 i) :end (+ 2 (* 2 i)) :radix 16)))))

(defun words (line)
  (loop for start = 0 then (1+ end) for end = (position #\Space line :start start)
        collect (subseq line start end) while end))

(defparameter *strict* (ext:make-encoding :charset 'charset:utf-8 :line-terminator :unix :input-error-action :error))
(defparameter *own* (ext:make-encoding :charset 'charset:utf-8 :line-terminator :unix :input-error-action (code-char #xFFFD)))

(defun numbers (scalars)
  (if (string= scalars "-") '()
      (loop for start = 0 then (1+ end) for end = (position #\, scalars :start start)
            collect (parse-integer scalars :start start :end end :radix 16) while end)))

(defun encoded (points)
  (if (some (lambda (point) (>= point char-code-limit)) points) "skip not offered"
      (handler-case
          (let ((bytes (ext:convert-string-to-bytes (map 'string #'code-char points) *strict*)))
            (format nil "ok ~:[~{~2,'0X~}~;-~]" (zerop (length bytes)) (coerce bytes 'list)))
        (error () "error"))))

(defun answer (operation encoding &rest fields)
  (let* ((hex (car (last fields)))
         (policy (if (string= operation "decode") (first fields) "strict"))
         (form (cond ((string= policy "strict") *strict*) ((string= policy "own") *own*))))
    (when (and (string= operation "encode") (string= encoding "utf-8") (string= (first fields) "strict"))
      (return-from answer (encoded (numbers hex))))
    (if (or (null form) (string/= encoding "utf-8") (find #\, hex) (not (member operation '("validate" "decode") :test #'string=)))
        "skip not offered"
        (handler-case
            (let ((text (ext:convert-string-from-bytes (bytes hex) form)))
              (if (string= operation "validate") "ok"
                  (format nil "ok ~:[~{~X~^,~}~;-~]" (string= text "") (map 'list #'char-code text))))
          (error () "error")))))

(loop for line = (read-line *standard-input* nil) while line
      do (let ((words (words line)))
           (if (string= (first words) "hello")
               (format t "hello assay/1 clisp encodings=utf-8 policies=strict,own ops=validate,decode,encode chunks=no~%")
               (format t "~A ~A~%" (first words) (apply #'answer (rest words))))
           (finish-output)))
